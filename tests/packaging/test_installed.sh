#!/bin/sh
# Install into a scratch folder, build a program against what was installed (pkg-config and
# CMake, shared and static), and run it.
# test_installed.sh BUILD_DIR SOURCE_DIR SCRATCH LIBDIR VERSION CC [FLAGS...]
set -eu
build=$1 source=$2 scratch=$3 libdir=$4 version=$5 cc=$6
shift 6
prefix=$scratch/prefix

rm -rf "$scratch"
mkdir -p "$scratch"
DESTDIR= cmake --install "$build" --prefix "$scratch/first" >"$scratch/install.log"
# An installed tree may be moved.
mv "$scratch/first" "$prefix"

for file in include/slipcone/slipcone.h "$libdir/libslipcone.a" "$libdir/libslipcone.so" \
  "$libdir/pkgconfig/slipcone.pc" share/doc/slipcone/README.md share/doc/slipcone/LICENSE \
  share/doc/slipcone/docs/cli.md \
  bin/slipcone share/man/man1/slipcone.1 share/bash-completion/completions/slipcone \
  share/zsh/site-functions/_slipcone share/fish/vendor_completions.d/slipcone.fish; do
  [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
if grep -r "$source" "$prefix/$libdir/cmake" "$prefix/$libdir/pkgconfig" "$prefix/include"; then
  echo "installed files name the source folder"
  exit 1
fi

run() { # program
  LD_LIBRARY_PATH=$prefix/$libdir "$1" || { echo "$1 fails with status $?"; exit 1; }
}

export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
[ "$(pkg-config --modversion slipcone)" = "$version" ] || { echo "wrong version"; exit 1; }
cp "$source/tests/packaging/consumer.c" "$scratch"
cd "$scratch"
"$cc" "$@" consumer.c -o shared $(pkg-config --cflags --libs slipcone) -lm
run ./shared
# Our library static, the others as they come.
"$cc" "$@" consumer.c -o static $(pkg-config --cflags slipcone) \
  $(pkg-config --static --libs slipcone | sed 's/-lslipcone/-l:libslipcone.a/')
run ./static
if ldd ./static | grep -q slipcone; then
  echo "the static program asks for the shared library"
  exit 1
fi

# The README's own lines, in a folder with its program and its CMakeLists.txt. Everything static too,
# which sanitizers cannot be.
mkdir readme
cp "$source/examples/quickstart.c" readme
awk '/^```cmake$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/README.md" \
  >readme/CMakeLists.txt
if [ $# -eq 0 ]; then
  grep '^    cc ' "$source/README.md" >readme/lines
  [ "$(wc -l <readme/lines)" -eq 2 ] || { echo "the README compiles otherwise"; exit 1; }
  (cd readme && sed -n 1p lines | sed "s|cc|$cc|" >line && . ./line && mv a.out shared)
  run readme/shared >/dev/null
  (cd readme && sed -n 2p lines | sed "s|cc|$cc|" >line && . ./line && mv a.out ../all_static) \
    2>static.log || { cat static.log; exit 1; }
  ./all_static | grep -q 'SOLVED: impulse (1, -0.5, 0)' || { echo "the static program is wrong"; exit 1; }
  if ldd ./all_static >/dev/null 2>&1; then
    echo "the static program is not static"
    exit 1
  fi
  # A problem large enough for CHOLMOD to ask for METIS.
  "$cc" -static "$source/tests/packaging/factors.c" -o factors_static \
    $(pkg-config --static --cflags --libs slipcone) 2>static.log || { cat static.log; exit 1; }
  "$cc" "$source/tests/packaging/factors.c" -o factors_shared $(pkg-config --cflags --libs slipcone)
  ./factors_static
  run ./factors_shared
fi

# The Python package finds the library beside it, wherever both are moved. A Python without numpy or
# cffi cannot load it, and sanitizers would have to be loaded before Python.
python=$(sed -n 's/^SLIPCONE_PYTHON:FILEPATH=//p' "$build/CMakeCache.txt")
# Where the environment names a library, that of the installed tree is not what is tried.
unset SLIPCONE_LIBRARY
if [ $# -eq 0 ] && "$python" -c 'import numpy, cffi' 2>/dev/null; then
  PYTHONPATH=$prefix/lib/python3/dist-packages "$python" -B - "$version" "$prefix" <<'END'
import importlib.metadata, sys
import slipcone
assert slipcone.__version__ == importlib.metadata.version("slipcone") == sys.argv[1]
assert slipcone.__file__.startswith(sys.argv[2])
assert slipcone.solve([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, 0.8, 0], 0.5).solved
assert any(sys.argv[2] in line and "libslipcone" in line for line in open("/proc/self/maps"))
END
fi

# The documents' links lead to what is installed.
sh "$source/tests/lint/check_links.sh" "$prefix/share/doc/slipcone"

sed "s/@SLIPCONE_VERSION@/$version/" "$source/tests/packaging/CMakeLists.txt.in" >CMakeLists.txt
cmake -S . -B cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_C_FLAGS="$*" >cmake.log 2>&1 || { cat cmake.log; exit 1; }
cmake --build cmake >build.log 2>&1 || { cat build.log; exit 1; }
run cmake/consumer_slipcone
cmake -S readme -B readme/cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_C_FLAGS="$*" >readme.log 2>&1 || { cat readme.log; exit 1; }
cmake --build readme/cmake >>readme.log 2>&1 || { cat readme.log; exit 1; }
run readme/cmake/quickstart >/dev/null
run cmake/consumer_static

"$prefix/bin/slipcone" --version | grep -q "$version" || { echo "the tool has another version"; exit 1; }
