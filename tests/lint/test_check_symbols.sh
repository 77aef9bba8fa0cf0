#!/bin/sh
# The symbol checker finds each kind of offence: test_check_symbols.sh CHECKER SCRATCH CC
set -u
checker=$1
scratch=$2
cc=$3
failures=0
rm -rf "$scratch"
mkdir -p "$scratch"

try() { # status, what, source
  printf '%s\n' "$3" >"$scratch/a.c"
  rm -f "$scratch/liba.a"
  if ! "$cc" -fPIC -fvisibility=hidden -c "$scratch/a.c" -o "$scratch/a.o" ||
    ! "$cc" -shared "$scratch/a.o" -o "$scratch/liba.so" ||
    ! ar rc "$scratch/liba.a" "$scratch/a.o"; then
    echo "$2: does not build"
    failures=$((failures + 1))
    return
  fi
  "$checker" "$scratch/liba.so" "$scratch/liba.a" >"$scratch/out" 2>&1
  status=$?
  if [ $status -ne "$1" ]; then
    echo "$2: status $status, expected $1"
    cat "$scratch/out"
    failures=$((failures + 1))
  fi
}

api='__attribute__((visibility("default")))'
clean="#include <stdio.h>
static const char *const names[] = {\"a\", \"b\"};
$api const char *slip_name(int k) { return names[k]; }
void slipi_copy(char *to) { snprintf(to, 4, \"x\"); }"
try 0 "a clean library" "$clean"
try 1 "an export without prefix" "$clean
$api int other(void) { return 1; }"
try 1 "an internal name without prefix" "$clean
int other(void) { return 1; }"
try 1 "a static counter" "$clean
int slipi_count(void) { static int n; return ++n; }"
try 1 "an initialised static" "$clean
int slipi_count(void) { static int n = 3; return ++n; }"
try 1 "thread-local data" "$clean
int slipi_count(void) { static _Thread_local int n; return ++n; }"
try 1 "a common global" "$clean
int slipi_n;"
try 1 "printing" "$clean
void slipi_say(int k) { printf(\"%d %d\", k, k); }"
try 1 "writing to stderr" "$clean
void slipi_say(int k) { fprintf(stderr, \"%d\", k); }"
try 1 "exit" "#include <stdlib.h>
$clean
void slipi_end(void) { exit(1); }"
try 1 "abort" "#include <stdlib.h>
$clean
void slipi_end(void) { abort(); }"
try 1 "assert" "#include <assert.h>
$clean
void slipi_check(int k) { assert(k); }"
try 1 "nothing exported" "int slipi_one(void) { return 1; }"
[ $failures -eq 0 ]
