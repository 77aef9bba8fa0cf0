#!/bin/sh
# The checker of the dependency rule finds each kind of offence, and nothing in a clean tree.
# test_check_includes.sh CHECKER SCRATCH
set -u
checker=$1
tree=$2
failures=0

fresh() {
  rm -rf "$tree"
  mkdir -p "$tree/src/base" "$tree/src/contact" "$tree/src/methods" "$tree/src/solver" \
    "$tree/src/io" "$tree/src/gen" "$tree/cli"
  echo '#include <slipcone/slipcone.h>' >"$tree/src/base/error.h"
  echo '#include "base/error.h"' >"$tree/src/contact/law.h"
  printf '%s\n' '#include "methods/method.h"' '#include "methods/nsgs_sweep.h"' \
    '#include "contact/law.h"' >"$tree/src/methods/nsgs.c"
  echo '#include "methods/method.h"' >"$tree/src/solver/driver.c"
  echo '#include "io/hdf5.h"' >"$tree/src/io/hdf5.c"
  printf '%s\n' '#include <slipcone/io.h>' '#include "cli.h"' >"$tree/cli/main.c"
}

expect() { # status, what
  "$checker" "$tree" >"$tree/out" 2>&1
  status=$?
  if [ $status -ne "$1" ]; then
    echo "$2: status $status, expected $1"
    cat "$tree/out"
    failures=$((failures + 1))
  fi
}

offence() { # file, line, what
  fresh
  echo "$2" >>"$tree/$1"
  expect 1 "$3"
}

fresh
expect 0 "a clean tree"
offence src/base/error.h '#include "contact/law.h"' "an include that points right"
offence src/contact/law.h '#  include "solver/driver.h"' "a right-pointing include with spaces"
offence src/io/hdf5.c '#include "gen/gen.h"' "rooms of the same level"
offence src/methods/nsgs.c '#include "methods/ppa.h"' "a method including another"
offence src/methods/ppa.c '#include "methods/nsgs_sweep.h"' "a method including a part of another"
offence src/methods/nsgs.c '  double *M = run->op->problem->M.x;' "a method inside the operator"
offence src/base/error.h '#include "error.h"' "an include without its room"
offence src/base/error.h '#include "attic/old.h"' "an unknown room"
offence src/base/error.h '#include "../cli/cli.h"' "an include that climbs"
offence src/base/error.h '#include "slipcone/slipcone.h"' "a public header in quotes"
offence cli/main.c '#include "base/error.h"' "cli including an internal header"
fresh
mkdir "$tree/src/attic"
echo 'int x;' >"$tree/src/attic/a.c"
expect 1 "a room nobody knows"
rm -rf "$tree"
mkdir -p "$tree"
expect 2 "an empty tree"
[ $failures -eq 0 ]
