# Every target does its own set-up; the work itself is CMake's (see CMakePresets.json).
#
#   make build    the library and build/slipcone
#   make demo     generate, look at and solve a few built-in problems
#   make gallery  the scenes as pages that play, the documents and the API's reference as a site in
#                 build/site (SCENES=names, SCENE_SECONDS=60 for each)
#   make test     the whole suite, with sanitizers and without
#   make bench    compare the methods on built-in problems, or on those of COLLECTION=folder
#                 (also CAMPAIGN=file, METHODS=list, TIME_LIMIT=s, PEERS=siconos, BENCH_JOBS=n);
#                 see docs/bench.md
#   make mpi      the solver for many processes, on PETSc and OpenMPI: build-mpi/slipcone-mpi
#   make test-mpi its tests, on 1 to 8 processes
#   make python   the Python package as a wheel, with the library in it, in build/dist
#   make lint     clang-format, clang-tidy, cppcheck
#   make fuzz     libFuzzer on the file readers, misleading problems on every method
#                 (FUZZ_SECONDS each, 60 by default)
#   make install  into PREFIX (/usr/local), below DESTDIR when given
#   make deb      Debian packages of the library, the tool and the Python package, in build/deb
#   make clean

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
BENCH_JOBS ?= 1

.PHONY: build demo gallery test mpi test-mpi bench python lint fuzz install deb clean
.DEFAULT_GOAL := build

build:
	@tools/setup build
	cmake --preset release -DSLIPCONE_TESTS=OFF --log-level=NOTICE
	cmake --build build -j $(JOBS)

demo: build
	@tools/demo build/slipcone

gallery: build
	@tools/setup gallery
	@tools/gallery build/slipcone build/site

bench: build
	@CAMPAIGN="$(CAMPAIGN)" METHODS="$(METHODS)" TIME_LIMIT="$(TIME_LIMIT)" PEERS="$(PEERS)" \
	  BENCH_JOBS="$(BENCH_JOBS)" tools/bench build/slipcone "$(COLLECTION)"

python: build
	@tools/setup python
	@python=$$(sed -n 's/^SLIPCONE_PYTHON:FILEPATH=//p' build/CMakeCache.txt); \
	  echo build/dist/$$($$python -B bindings/python/backend/slipcone_backend.py wheel build/dist)

test:
	@tools/test $(JOBS)

mpi:
	@tools/setup build mpi
	cmake --preset mpi -DSLIPCONE_TESTS=OFF --log-level=NOTICE
	cmake --build build-mpi -j $(JOBS)

test-mpi:
	@tools/setup build mpi
	cmake --preset mpi -DSLIPCONE_TESTS=ON --log-level=NOTICE
	cmake --build build-mpi -j $(JOBS)
	ctest --test-dir build-mpi --output-on-failure

lint:
	@tools/lint $(JOBS)

fuzz:
	@tools/fuzz $(JOBS) $(FUZZ_SECONDS)

install: build
	DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

deb:
	@tools/deb $(JOBS)

clean:
	rm -rf build build-sanitize build-fuzz build-clang build-debug build-tsan build-mpi
