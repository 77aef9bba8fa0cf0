/* The reader of FCLIB files must not crash, hang or leak, whatever the file. An input is one of
 *   - the bytes of a file, where it starts with HDF5's signature;
 *   - "e": edits of a sound file, each a place (2 bytes) and a value: damaged HDF5;
 *   - anything else: choices for each dataset of a small problem, whether it is there, its type,
 *     extent, storage and values: sound HDF5 that may be wrong in all else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "io/io.h"

/* HDF5 leaks a little when it makes files, which is not what is tested here. */
#if defined(__clang__)
#if __has_feature(address_sanitizer)
#define WITH_LEAK_SANITIZER 1
#endif
#endif
#ifdef WITH_LEAK_SANITIZER
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable() ((void)0)
#define __lsan_enable() ((void)0)
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as a stream of choices; zeros, the sound ones, once it is used up. */
typedef struct Choices {
  const uint8_t *at, *end;
} Choices;

static unsigned choose(Choices *choices) {
  return choices->at < choices->end ? *choices->at++ : 0;
}

static hid_t choose_type(unsigned choice, hid_t usual) {
  switch (choice) {
  case 1:
    return H5T_STD_I64LE;
  case 2:
    return H5T_STD_U32BE;
  case 3:
    return H5T_STD_I8LE;
  case 4:
    return H5T_IEEE_F32BE;
  case 5:
    return H5T_IEEE_F64LE;
  case 6:
    return H5T_STD_I32LE;
  case 7:
    return H5T_C_S1;
  default:
    return usual;
  }
}

static hid_t choose_space(Choices *choices, hsize_t usual) {
  unsigned choice = choose(choices);
  hsize_t extent[2] = {usual, 2};
  switch (choice & 15) {
  case 1:
    extent[0] = usual + 1;
    break;
  case 2:
    extent[0] = usual > 0 ? usual - 1 : 0;
    break;
  case 3:
    extent[0] = 0;
    break;
  case 4:
    extent[0] = (hsize_t)1 << (choice >> 4 << 2);
    break;
  case 5:
    return H5Screate_simple(2, extent, NULL);
  case 6:
    return H5Screate(H5S_SCALAR);
  case 7:
    return H5Screate(H5S_NULL);
  default:
    break;
  }
  return H5Screate_simple(1, extent, NULL);
}

enum { VALUES = 1024 }; /* no dataset has more that are written */

/* For a base of the edits. */
static int compress_all;

/* Only what HDF5 can make: it leaks when asked for more. */
static hid_t choose_storage(Choices *choices, hid_t space) {
  enum { COMPACT = 1, CHUNKED, DEFLATED, SHUFFLED, CHECKED, EXTERNAL };
  hssize_t count = H5Sget_simple_extent_npoints(space);
  unsigned choice = compress_all ? (count >= 4 ? 0x34 : 0) : choose(choices), kind = choice & 7;
  hsize_t chunk = 1 + (choice >> 4);
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  if (kind == COMPACT && count <= VALUES)
    H5Pset_layout(plist, H5D_COMPACT);
  if (kind == EXTERNAL && count > 0)
    H5Pset_external(plist, "elsewhere", 0, H5F_UNLIMITED);
  if (kind < CHUNKED || kind > CHECKED || H5Sget_simple_extent_ndims(space) != 1 ||
      (hsize_t)count < chunk)
    return plist;
  H5Pset_chunk(plist, 1, &chunk);
  if (kind == SHUFFLED)
    H5Pset_shuffle(plist);
  if (kind == DEFLATED || kind == SHUFFLED)
    H5Pset_deflate(plist, 1);
  if (kind == CHECKED)
    H5Pset_fletcher32(plist);
  return plist;
}

/* The usual values with some of their bytes chosen, unless that would write elsewhere. */
static void write_values(Choices *choices, hid_t dataset, hid_t memory, const void *usual,
                         size_t bytes) {
  unsigned char values[8 * VALUES] = {0};
  hid_t space = H5Dget_space(dataset);
  memcpy(values, usual, bytes);
  for (unsigned k = choose(choices) & 7; k > 0; k--) {
    unsigned at = choose(choices);
    values[at] = (unsigned char)choose(choices);
  }
  if (H5Sget_simple_extent_npoints(space) <= VALUES)
    H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Sclose(space);
}

static void put(Choices *choices, hid_t group, const char *name, hid_t usual, hid_t memory,
                size_t value, hsize_t count, const void *values) {
  unsigned choice = choose(choices);
  if (choice == 255 || group < 0)
    return;
  hid_t type = choose_type(choice, usual);
  hid_t space = choose_space(choices, count);
  hid_t plist = choose_storage(choices, space);
  hid_t dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  if (dataset >= 0 && H5Pget_external_count(plist) == 0)
    write_values(choices, dataset, type == H5T_C_S1 ? type : memory, values, value * count);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Pclose(plist);
  H5Sclose(space);
}

static void put_ints(Choices *choices, hid_t group, const char *name, hsize_t count,
                     const int32_t *values) {
  put(choices, group, name, H5T_STD_I32LE, H5T_NATIVE_INT32, 4, count, values);
}

static void put_reals(Choices *choices, hid_t group, const char *name, hsize_t count,
                      const double *values) {
  put(choices, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 8, count, values);
}

static hid_t put_group(Choices *choices, hid_t parent, const char *name) {
  if (parent < 0)
    return -1;
  switch (choose(choices)) {
  case 254:
    H5Lcreate_soft("/elsewhere", parent, name, H5P_DEFAULT, H5P_DEFAULT);
    return -1;
  case 255:
    H5Lcreate_external("elsewhere", "/", parent, name, H5P_DEFAULT, H5P_DEFAULT);
    return -1;
  default:
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  }
}

enum { SIZE = 4, EQUALITIES = 3, MOST = 10 }; /* MOST: of contacts with rolling friction */
static const double numbers[MOST] = {2, 1, 3, 1, 0.5, 1, 0.25, 2, 1, 3};

/* A diagonal matrix, square or not, in any of the three layouts. */
static void put_matrix(Choices *choices, hid_t parent, const char *name, int32_t rows,
                       int32_t cols) {
  const int32_t entries = rows < cols ? rows : cols, layouts[] = {entries, -1, -2, -3};
  static const int32_t rising[MOST + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  int32_t starts[MOST + 1];
  for (int32_t k = 0; k <= MOST; k++)
    starts[k] = k < entries ? k : entries;
  unsigned layout = choose(choices) & 3;
  hid_t group = put_group(choices, parent, name);
  if (group < 0)
    return;
  put_ints(choices, group, "nz", 1, &layouts[layout]);
  put_ints(choices, group, "m", 1, &rows);
  put_ints(choices, group, "n", 1, &cols);
  if (layout == 0)
    put_ints(choices, group, "p", (hsize_t)entries, rising);
  else
    put_ints(choices, group, "p", (hsize_t)(layout == 1 ? cols : rows) + 1, starts);
  put_ints(choices, group, "i", (hsize_t)entries, rising);
  put_reals(choices, group, "x", (hsize_t)entries, numbers);
  H5Gclose(group);
}

static void put_solution(Choices *choices, hid_t parent, const char *name, hsize_t size,
                         int equalities) {
  hid_t group = put_group(choices, parent, name);
  put_reals(choices, group, "u", size, numbers);
  put_reals(choices, group, "r", size, numbers);
  put_reals(choices, group, "v", size, numbers);
  if (equalities)
    put_reals(choices, group, "l", EQUALITIES, numbers);
  if (group >= 0)
    H5Gclose(group);
}

static void put_guesses(Choices *choices, hid_t file, int equalities) {
  int32_t count = (int32_t)(choose(choices) & 3);
  hid_t group = put_group(choices, file, "guesses");
  put_ints(choices, group, "number_of_guesses", 1, &count);
  put_solution(choices, group, "1", SIZE, equalities);
  put_solution(choices, group, "2", SIZE, equalities);
  if (group >= 0)
    H5Gclose(group);
}

static void put_text(Choices *choices, hid_t group, const char *name) {
  unsigned choice = choose(choices);
  if (group < 0)
    return;
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  const char *text = "title";
  H5Tset_size(type, choice & 1 ? H5T_VARIABLE : choice & 2 ? 3 : 6);
  if (choice & 4)
    H5Tset_strpad(type, H5T_STR_SPACEPAD);
  hid_t dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
           choice & 1 ? (const void *)&text : (const void *)text);
  H5Dclose(dataset);
  H5Tclose(type);
  H5Sclose(space);
}

/* Slipcone's own arrays, in their group or, as earlier versions have them, among the vectors. What
 * is sound: none, or laws alone in the group. */
static void put_laws(Choices *choices, hid_t problem, hid_t vectors, int apart) {
  static const int32_t version = 1, sets[4][2] = {{0, 1}, {0, 7}, {4, 5}, {6, 2}}, flow[2] = {0, 1};
  static const char *const names[] = {"law",    "flow",     "bound",     "equality_bound",
                                      "radius", "cohesion", "ball",      "ball_tangential",
                                      "cap",    "spinning", "compliance"};
  enum { INTS = 4, ALL = 11 };
  unsigned set = choose(choices) & 3;
  hid_t group = apart ? put_group(choices, problem, "slipcone_laws") : vectors;
  if (apart)
    put_ints(choices, group, "version", 1, &version);
  for (int k = 0; k < ALL; k++) {
    char name[40];
    int usual = apart && k == 0;
    if ((choose(choices) & 1) == (unsigned)usual)
      continue;
    snprintf(name, sizeof name, "%s%s", apart ? "" : "slipcone_", names[k]);
    if (k < INTS)
      put_ints(choices, group, name, 2, k == 1 ? flow : sets[set]);
    else
      put_reals(choices, group, name, k == ALL - 1 ? 2 * SIZE : 2, numbers);
  }
  if (apart && group >= 0)
    H5Gclose(group);
}

static void put_equalities(Choices *choices, hid_t group, hid_t vectors, int global) {
  put_matrix(choices, group, global ? "G" : "V", SIZE, EQUALITIES);
  if (!global)
    put_matrix(choices, group, "R", EQUALITIES, EQUALITIES);
  put_reals(choices, vectors, global ? "b" : "s", EQUALITIES, numbers);
}

static void put_problem(Choices *choices, hid_t file, int global, int equalities, int laws) {
  static const int32_t dimension = 2;
  hid_t group = put_group(choices, file, global ? "fclib_global" : "fclib_local");
  put_ints(choices, group, "spacedim", 1, &dimension);
  put_matrix(choices, group, global ? "M" : "W", SIZE, SIZE);
  if (global)
    put_matrix(choices, group, "H", SIZE, SIZE);
  hid_t vectors = put_group(choices, group, "vectors");
  put_reals(choices, vectors, global ? "f" : "q", SIZE, numbers);
  if (global)
    put_reals(choices, vectors, "w", SIZE, numbers);
  put_reals(choices, vectors, "mu", 2, numbers);
  put_laws(choices, group, vectors, laws);
  if (equalities)
    put_equalities(choices, group, vectors, global);
  hid_t info = put_group(choices, group, "info");
  put_text(choices, info, "title");
  put_text(choices, info, "description");
  if (info >= 0)
    H5Gclose(info);
  if (vectors >= 0)
    H5Gclose(vectors);
  if (group >= 0)
    H5Gclose(group);
}

/* Two contacts with rolling friction: three components in the plane, five in the local form. */
static void put_rolling(Choices *choices, hid_t file, int global) {
  const int32_t width = global ? 3 : 5, size = 2 * width;
  static const double load[MOST] = {-1, 0, 0, 0, 0, -1, 0.5, 0, 0, 0};
  hid_t group = put_group(choices, file, global ? "fclib_global_rolling" : "fclib_local");
  put_ints(choices, group, "spacedim", 1, &width);
  put_matrix(choices, group, global ? "M" : "W", size, size);
  if (global)
    put_matrix(choices, group, "H", size, size);
  hid_t vectors = put_group(choices, group, "vectors");
  put_reals(choices, vectors, global ? "f" : "q", (hsize_t)size, load);
  if (global)
    put_reals(choices, vectors, "w", (hsize_t)size, load);
  put_reals(choices, vectors, "mu", 2, numbers);
  put_reals(choices, vectors, "mu_r", 2, numbers);
  if (choose(choices) & 1)
    put_matrix(choices, group, global ? "G" : "V", size, 1);
  if (vectors >= 0)
    H5Gclose(vectors);
  if (group >= 0)
    H5Gclose(group);
}

static void put_all(Choices *choices, hid_t file) {
  enum { GLOBAL = 1, BOTH = 2, EQUAL = 4, ROLLING = 8, LAWS = 16 };
  unsigned choice = choose(choices);
  if (choice & ROLLING) {
    put_rolling(choices, file, choice & GLOBAL);
    put_solution(choices, file, "solution", choice & GLOBAL ? 6 : MOST, 0);
    return;
  }
  int equalities = (choice & EQUAL) != 0;
  if (!(choice & GLOBAL))
    put_problem(choices, file, 0, equalities, choice & LAWS);
  if (choice & (GLOBAL | BOTH))
    put_problem(choices, file, 1, equalities, choice & LAWS);
  put_solution(choices, file, "solution", SIZE, equalities);
  put_guesses(choices, file, equalities);
}

static void *build(Choices *choices, size_t *size) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, 0);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  hid_t file = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  put_all(choices, file);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  ssize_t bytes = H5Fget_file_image(file, NULL, 0);
  void *image = bytes > 0 ? malloc((size_t)bytes) : NULL;
  if (image)
    H5Fget_file_image(file, image, (size_t)bytes);
  *size = image ? (size_t)bytes : 0;
  H5Fclose(file);
  H5Pclose(access);
  return image;
}

/* The newest format has to go through a real file: H5Fget_file_image spoils its checksum. */
static void *build_newest(Choices *choices, size_t *size) {
  char path[] = "fuzz_fclib_XXXXXX";
  int descriptor = mkstemp(path);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  put_all(choices, file);
  H5Fclose(file);
  H5Pclose(access);
  enum { LIMIT = 1 << 16 };
  void *image = malloc(LIMIT);
  ssize_t bytes = image ? pread(descriptor, image, LIMIT, 0) : 0;
  *size = bytes > 0 ? (size_t)bytes : 0;
  close(descriptor);
  unlink(path);
  return image;
}

/* `sound`: must be readable in this form, SLIP_WANT_ANY: need not be in either. */
static void read_all(const void *image, size_t size, SlipWantForm sound) {
  for (SlipWantForm form = SLIP_WANT_LOCAL; form <= SLIP_WANT_GLOBAL; form++) {
    SlipFile *file = NULL;
    SlipError error;
    SlipStatus status = slip_file_read_memory("fuzz", image, size, form, &file, &error);
    if ((status == SLIP_OK) != (file != NULL) || (file && !file->problem) ||
        (status != SLIP_OK && (error.status != status || !error.text[0])))
      abort();
    if (form == sound && status != SLIP_OK)
      abort();
    slip_file_free(file);
  }
}

/* The sound files that are edited: local, global, compressed, the newest format, with equality
 * constraints local and global, with rolling friction local and global, with laws local and global.
 * The byte of each is the choice of put_all. */
enum { BASES = 10 };
static const uint8_t base_choice[BASES] = {0, 1, 0, 0, 4, 5, 8, 9, 16, 17};

static const uint8_t *base_file(unsigned number, size_t *size) {
  static uint8_t *files[BASES];
  static size_t sizes[BASES];
  if (!files[number]) {
    /* Zeros are sound. */
    uint8_t bytes[256] = {0};
    bytes[0] = base_choice[number];
    Choices choices = {bytes, bytes + sizeof bytes};
    compress_all = number == 2 || number == 3;
    __lsan_disable();
    files[number] =
        number == 3 ? build_newest(&choices, &sizes[number]) : build(&choices, &sizes[number]);
    __lsan_enable();
    compress_all = 0;
  }
  *size = sizes[number];
  return files[number];
}

static void edit(const uint8_t *data, size_t size) {
  size_t bytes = 0;
  unsigned number = size > 0 ? data[0] % BASES : 0;
  const uint8_t *base = base_file(number, &bytes);
  uint8_t *file = malloc(bytes);
  if (!base || !file)
    abort();
  memcpy(file, base, bytes);
  for (size_t k = 1; k + 2 < size; k += 3)
    file[(data[k] | (size_t)data[k + 1] << 8) % bytes] = data[k + 2];
  SlipWantForm form = base_choice[number] & 1 ? SLIP_WANT_GLOBAL : SLIP_WANT_LOCAL;
  read_all(file, bytes, size <= 1 ? form : SLIP_WANT_ANY);
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (size > 0 && data[0] == 0x89) {
    read_all(data, size, SLIP_WANT_ANY);
  } else if (size > 1 && data[0] == 'e') {
    edit(data + 1, size - 1);
  } else {
    Choices choices = {data, data + size};
    size_t bytes = 0;
    __lsan_disable();
    void *image = build(&choices, &bytes);
    __lsan_enable();
    if (!image)
      abort();
    read_all(image, bytes, size == 0 ? SLIP_WANT_LOCAL : SLIP_WANT_ANY);
    free(image);
  }
  return 0;
}
