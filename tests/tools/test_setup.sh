#!/bin/sh
# tools/setup with stand-ins for dpkg-query, apt-get, id and sudo: test_setup.sh SETUP SCRATCH
set -u
setup=$1
scratch=$2
failures=0
rm -rf "$scratch"
mkdir -p "$scratch/bin"
PATH=$scratch/bin:$PATH
calls=$scratch/calls

stand_in() { # command, body
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

expect() { # status, pattern in the output (empty: no output), pattern in the calls (empty: none)
  : >"$calls"
  "$setup" build >"$scratch/out" 2>&1
  status=$?
  [ $status -eq "$1" ] || complain "status $status, expected $1"
  check "$scratch/out" "$2"
  check "$calls" "$3"
}
check() { # file, pattern
  if [ -z "$2" ]; then
    [ ! -s "$1" ] || complain "unexpected: $(cat "$1")"
  else
    grep -q -- "$2" "$1" || complain "no '$2' in: $(cat "$1")"
  fi
}
complain() {
  echo "$what: $1"
  failures=$((failures + 1))
}

present='echo "install ok installed"'
for command in cc c++ cmake ninja pkg-config; do stand_in $command :; done
stand_in apt-get "echo apt-get \"\$@\" >>'$calls'"
stand_in sudo 'exit 1'
stand_in id 'echo 1000'

what="everything here"
stand_in dpkg-query "$present"
expect 0 "" ""

stand_in dpkg-query "case \$* in *jansson*|*hdf5*) exit 1 ;; *) $present ;; esac"
what="two packages missing, no rights"
expect 2 "administrator.*apt-get install libhdf5-dev libjansson-dev$" ""
[ "$(wc -l <"$scratch/out")" -eq 1 ] || complain "more than one sentence"

what="two packages missing, root"
stand_in id 'echo 0'
expect 0 "Installing libhdf5-dev libjansson-dev" "apt-get install .*libhdf5-dev libjansson-dev"
check "$calls" "apt-get update"

what="sudo without a password"
stand_in id 'echo 1000'
stand_in sudo '[ "$1" = -n ] && shift && exec "$@"'
expect 0 "Installing" "apt-get install .*libjansson-dev"

what="installing fails"
stand_in apt-get '[ "$1" != install ]'
expect 2 "installing them failed: apt-get install libhdf5-dev libjansson-dev$" ""

what="an unknown purpose"
"$setup" holiday >"$scratch/out" 2>&1
[ $? -eq 2 ] || complain "accepted"
[ $failures -eq 0 ]
