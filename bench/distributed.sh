#!/bin/sh
# The solver for many processes on this machine: the same bits as the tool of one process, times,
# memory, what is sent. Needs a machine with nothing else to do, make build and make mpi.
#
#   bench/distributed.sh SLIPCONE SLIPCONE_MPI [bits] [times] [memory] [traffic] [large] [kills]
#
# CONTACTS (1000000) of the largest pile, TOL (1e-4), RANKS ("1 2 3 5 8").
set -eu
tool=$1 many=$2
shift 2
[ $# -gt 0 ] || set -- bits times memory traffic
: "${CONTACTS:=1000000}" "${TOL:=1e-4}" "${RANKS:=1 2 3 5 8}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
export OPENBLAS_NUM_THREADS=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# More processes than cores must let each other run; as many as cores need not.
export OMPI_MCA_rmaps_base_oversubscribe=1
cores=$(nproc)
distributed() { # processes, arguments
  n=$1
  shift
  yield=$([ "$n" -gt "$cores" ] && echo 1 || echo 0)
  OMPI_MCA_mpi_yield_when_idle=$yield mpirun -n "$n" "$many" "$@" 2>/dev/null || true
}
value() { sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p"; }
alone() { # file, flags: prints the seconds of the run
  file=$1
  shift
  "$tool" solve --form global --method nsgs-accelerated --set operator=velocity --tol "$TOL" \
    --no-diagnose --json --out "$dir/solved.hdf5" "$@" "$file" | value seconds
}

bits() {
  while read -r kind contacts dimension seed; do
    file=$dir/$kind.hdf5
    "$tool" generate "$kind" --contacts "$contacts" --dimension "$dimension" --seed "$seed" \
      --out "$file" >/dev/null
    alone "$file" --max-iter 2000 >/dev/null || true
    expected=$("$many" fingerprint "$dir/solved.hdf5")
    for n in $RANKS; do
      for threads in 1 2; do
        got=$(distributed "$n" solve --tol "$TOL" --max-iter 2000 --threads $threads --json "$file" |
          value impulses)
        [ "$got" = "$expected" ] && same=same || same=OTHER
        echo "$kind $contacts ${dimension}D seed $seed: $n processes, $threads threads: $same bits"
      done
    done
  done <<PROBLEMS
pile $CONTACTS 3 1
pile 100000 3 2
pile 30000 3 3
pile 30000 2 1
wall 20000 3 1
wall 10000 2 1
stack 20000 3 1
slope 20000 3 1
press 20000 3 1
drum 20000 3 1
PROBLEMS
}

times() {
  "$tool" generate pile --contacts "$CONTACTS" --out "$dir/pile.hdf5" >/dev/null
  for turn in 1 2; do
    echo "turn $turn: one process of slipcone $(alone "$dir/pile.hdf5") s"
    for n in 1 2; do
      distributed "$n" solve --tol "$TOL" --json "$dir/pile.hdf5" >"$dir/json"
      echo "turn $turn: $n of slipcone-mpi $(value seconds <"$dir/json") s"
    done
  done
}

memory() {
  "$tool" generate pile --contacts "$CONTACTS" --out "$dir/pile.hdf5" >/dev/null
  /usr/bin/time -f "one process of slipcone: %M KiB" "$tool" solve --form global --quiet \
    --method nsgs-accelerated --set operator=velocity --tol 0.1 --no-diagnose "$dir/pile.hdf5" || true
  for n in 1 2 4 8; do
    distributed "$n" solve --tol 0.1 --json "$dir/pile.hdf5" >"$dir/json"
    echo "$n processes: $(value memory_most <"$dir/json") bytes of one at most," \
      "$(value memory_all <"$dir/json") of all"
  done
}

traffic() {
  for contacts in 100000 300000 "$CONTACTS"; do
    echo "pile of $contacts contacts"
    distributed 1 traffic --pile "$contacts"
  done
}

large() { # ten million contacts on four processes at 1e-3
  distributed 4 solve --tol 1e-3 --pile 10000000
}

kills() {
  OMPI_MCA_mpi_yield_when_idle=1 "$(dirname "$0")/../mpi/tests/test_kill.sh" "$many" mpirun 20
}

for part in "$@"; do
  echo "== $part"
  $part
done
