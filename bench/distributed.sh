#!/bin/sh
# The solver for many processes on this machine, each part with its verdict: bits, times, memory,
# what is sent, walls by interior point, a large pile, runs that are killed. Needs a machine with
# nothing else to do, make build and make test-mpi.
#
#   bench/distributed.sh BUILD BUILD_MPI [bits] [times] [memory] [traffic] [walls] [large] [kills]
#
# CONTACTS (1000000) of the largest pile, SCALE (1: others, e.g. 0.1 for a trial), TOL (1e-4), RANKS
# ("1 2 3 5 8"), THREADS ("1 2"), PROBLEMS (those of bits, by name: all), LARGE (10000000), KILLS (20).
# Where a process that waits yields to others that do something else, it waits long: on a machine that
# is busy BUSY=1 lets it nap instead (mpi/tests/nap.c). Times mean nothing there.
set -eu
tool=$1/slipcone many=$2/slipcone-mpi mix=$2/mpi/tests/mix_laws nap=$2/mpi/tests/libnap.so
here=$(dirname "$0")
shift 2
[ $# -gt 0 ] || set -- bits times memory traffic walls
: "${CONTACTS:=1000000}" "${SCALE:=1}" "${TOL:=1e-4}" "${RANKS:=1 2 3 5 8}" "${THREADS:=1 2}"
: "${LARGE:=10000000}" "${KILLS:=20}" "${BUSY:=}" "${PROBLEMS:=}"
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
  yield=$([ "$n" -gt "$cores" ] || [ "$BUSY" ] && echo 1 || echo 0)
  OMPI_MCA_mpi_yield_when_idle=$yield mpirun ${BUSY:+-x LD_PRELOAD="$nap"} -n "$n" "$many" "$@" \
    </dev/null 2>"$dir/errors" || true
}
value() { sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p"; }
scaled() { awk -v n="$1" -v s="$SCALE" 'BEGIN { print int(n * s) }'; }
verdict() { # condition of awk, sentence
  awk "BEGIN { exit !($1) }" && echo "  REACHED: $2" || echo "  NOT REACHED: $2"
}
sweeps="--method nsgs-accelerated --set operator=velocity"
alone() { # file, flags: the JSON of the run
  file=$1
  shift
  # shellcheck disable=SC2086
  "$tool" solve --form global $sweeps --tol "$TOL" --no-diagnose --json "$@" "$file" || true
}

# Bricks that begin to slide, in 3D or 2D, or towers of four boxes: the first step of a scene.
scene() { # kind, contacts, dimension, file
  ground="[0, 0, 1]" gravity="[0, 0, -9.81]"
  case $1$3 in
  wall3) bodies="shape: {box: [0.4, 0.2, 0.2]}, position: [0, 0, 0.1], velocity: [0.05, 0.02, 0], many: {wall: [$(($2 / 44)), 4]}" ;;
  wall2)
    bodies="shape: {box: [0.4, 0.2]}, position: [0, 0.1], velocity: [0.05, 0], many: {wall: [$(($2 / 22)), 4]}"
    ground="[0, 1]" gravity="[0, -9.81]"
    ;;
  *)
    side=$(awk -v n="$2" 'BEGIN { print int(sqrt(n / 16)) }')
    bodies="shape: {box: [1, 1, 1]}, position: [0, 0, 0.5], many: {grid: [$side, $side, 4], spacing: [1.5, 1.5, 1]}"
    ;;
  esac
  cat >"$dir/scene.yaml" <<SCENE
slipcone: 1
dimension: $3
gravity: $gravity
time: {step: 0.002, end: 0.002}
solver: {tol: 1e-4}
contacts: [{friction: 0.7}]
bodies:
  - {name: ground, fixed: true, shape: {plane: $ground}}
  - {name: body, $bodies}
SCENE
  "$tool" sim "$dir/scene.yaml" --quiet --dump-problems "$dir/first" --dump every:1
  mv "$dir"/first/*.hdf5 "$4"
}
problem() { # kind, contacts, dimension, seed, file
  case $1 in
  wall | towers) scene "$1" "$2" "$3" "$5" ;;
  mixed-laws) scene towers "$2" "$3" "$dir/plain.hdf5" && "$mix" "$dir/plain.hdf5" "$5" ;;
  *) "$tool" generate "$1" --contacts "$2" --dimension "$3" --seed "$4" --out "$5" >/dev/null ;;
  esac
}

# Ten problems, which sweeps solve at 1e-4: the fingerprint of the impulses for each number of
# processes and threads. All have more than one chunk of contacts.
part_bits() {
  wrong=0 made=0 problems=0 open=0 asked=$([ "$PROBLEMS" ] && echo 1 || echo 10)
  header="problem"
  for n in $RANKS; do
    for threads in $THREADS; do header="$header ${n}x$threads"; done
  done
  echo "impulses against slipcone's, processes x threads:"
  echo "$header"
  while read -r name kind contacts dimension seed; do
    case " ${PROBLEMS:-$name} " in *" $name "*) ;; *) continue ;; esac
    file=$dir/$name.hdf5
    problem "$kind" "$contacts" "$dimension" "$seed" "$file"
    alone "$file" --max-iter 6000 --out "$dir/solved.hdf5" >"$dir/json"
    outcome=$(value outcome <"$dir/json") sweeps_made=$(value iterations <"$dir/json")
    [ "$outcome" = SOLVED ] || open=$((open + 1))
    expected=$("$many" fingerprint "$dir/solved.hdf5")
    line="" problems=$((problems + 1))
    for n in $RANKS; do
      for threads in $THREADS; do
        got=$(distributed "$n" solve --tol "$TOL" --max-iter 6000 --threads "$threads" --json \
          "$file" | value impulses)
        made=$((made + 1))
        if [ -n "$expected" ] && [ "$got" = "$expected" ]; then
          line="$line same"
        else
          line="$line OTHER" wrong=$((wrong + 1))
        fi
      done
    done
    echo "$name $(value contacts <"$dir/json") ${dimension}D ($outcome, $sweeps_made sweeps):$line"
    rm -f "$file" "$dir/solved.hdf5"
  done <<PROBLEMS
pile-largest pile $CONTACTS 3 1
pile-100k pile $(scaled 100000) 3 2
pile-30k pile $(scaled 30000) 3 3
pile-2D pile $(scaled 10000) 2 1
wall wall $(scaled 17600) 3 1
wall-2D wall $(scaled 17600) 2 1
towers towers $(scaled 20000) 3 1
chute slope $(scaled 20000) 3 1
drum drum $(scaled 20000) 3 1
mixed-laws mixed-laws $(scaled 20000) 3 1
PROBLEMS
  verdict "$wrong == 0 && $open == 0 && $problems >= $asked" "$((made - wrong)) of $made runs on $problems problems, $((problems - open)) of them solved at $TOL, have the bits of slipcone (asked: all)"
}

least() { sort -g | head -n 1; }
processor() { # command: its output goes to $dir/json, printed are the seconds of user and system
  /usr/bin/time -o "$dir/time" -f '%U %S' "$@" >"$dir/json" 2>"$dir/errors" || true
  awk 'END { print $1 + $2 }' "$dir/time"
}
wall_seconds() { awk -v a="$(value seconds <"$dir/json")" -v b="$(value setup_seconds <"$dir/json")" \
  'BEGIN { print a + b }'; }
part_times() {
  "$tool" generate pile --contacts "$CONTACTS" --out "$dir/pile.hdf5" >/dev/null
  "$tool" generate pile --contacts 20 --out "$dir/tiny.hdf5" >/dev/null
  : >"$dir/serial" && : >"$dir/one" && : >"$dir/two"
  : >"$dir/serial.cpu" && : >"$dir/one.cpu"
  start=$(for turn in 1 2 3; do processor "$many" solve --json "$dir/tiny.hdf5"; done | least)
  # shellcheck disable=SC2086
  for turn in 1 2 3; do
    processor "$tool" solve --form global $sweeps --tol "$TOL" --no-diagnose --json \
      "$dir/pile.hdf5" >>"$dir/serial.cpu"
    wall_seconds >>"$dir/serial"
    processor "$many" solve --tol "$TOL" --json "$dir/pile.hdf5" >>"$dir/one.cpu"
    wall_seconds >>"$dir/one"
    distributed 2 solve --tol "$TOL" --json "$dir/pile.hdf5" >"$dir/json"
    wall_seconds >>"$dir/two"
  done
  serial=$(least <"$dir/serial") one=$(least <"$dir/one") two=$(least <"$dir/two")
  echo "pile of $CONTACTS contacts, set-up and run, the least of three:"
  echo "  slipcone $serial s, slipcone-mpi on one process $one s, on two $two s"
  echo "  processor time with reading: slipcone $(least <"$dir/serial.cpu") s, slipcone-mpi on one" \
    "process $(least <"$dir/one.cpu") s, of which the start of MPI and PETSc takes $start s"
  verdict "$one <= 1.05 * $serial" \
    "one process takes $(awk "BEGIN { printf \"%.3f\", $one / $serial }") of slipcone (asked 1.05)"
  verdict "$one >= 1.6 * $two" \
    "two processes are $(awk "BEGIN { printf \"%.2f\", $one / $two }") times as fast (asked 1.6)"
}

# Bytes of a body that another process has, too: M and its factors, f, v, and its place in lists.
BODY_BYTES=1500
part_memory() {
  "$tool" generate pile --contacts "$CONTACTS" --out "$dir/pile.hdf5" >/dev/null
  "$tool" generate pile --contacts 20 --out "$dir/tiny.hdf5" >/dev/null
  distributed 1 solve --tol 0.1 --json "$dir/tiny.hdf5" >"$dir/json"
  base=$(value memory_most <"$dir/json")
  # shellcheck disable=SC2086
  /usr/bin/time -o "$dir/time" -f '%M' "$tool" solve --form global --quiet $sweeps --tol 0.1 \
    --no-diagnose "$dir/pile.hdf5" >/dev/null || true
  serial=$(awk 'END { print $1 * 1024 }' "$dir/time")
  echo "pile of $CONTACTS contacts; slipcone $serial bytes; an empty slipcone-mpi $base bytes"
  for n in 2 4 8; do
    distributed "$n" solve --tol 0.1 --json "$dir/pile.hdf5" >"$dir/json"
    most=$(value memory_most <"$dir/json")
    ghosts=$(distributed 1 traffic --parts "$n" "$dir/pile.hdf5" | awk 'END { print $4 }')
    echo "  $n processes: the largest has $most bytes, with $ghosts bodies that others have, too;" \
      "$(awk "BEGIN { printf \"%.3f\", $most / $serial * $n }")/$n of slipcone," \
      "$(awk "BEGIN { printf \"%.3f\", ($most - $base) / $serial * $n }")/$n without the code"
    verdict "$most - $base <= 1.3 / $n * $serial + $ghosts * $BODY_BYTES" \
      "at most 1.3/$n of slipcone plus ghosts, beside code, MPI and PETSc"
  done
}

# The slope of a line through all sizes, for each number of parts.
part_traffic() {
  : >"$dir/points"
  for contacts in 100000 150000 200000 300000 450000 700000 1000000 1500000 2000000 3000000; do
    contacts=$(scaled $contacts)
    echo "pile of $contacts contacts"
    distributed 2 traffic --pile "$contacts" | tee "$dir/counted"
    awk 'NR > 1 { print $1, log($3), log($6) }' "$dir/counted" >>"$dir/points"
  done
  awk '{ n[$1]++; x[$1] += $2; y[$1] += $3; xx[$1] += $2 * $2; xy[$1] += $2 * $3 }
    END { for (p in n)
        printf "%d parts: exponent %.3f\n", p, (n[p] * xy[p] - x[p] * y[p]) / (n[p] * xx[p] - x[p] ^ 2) }' \
    "$dir/points" | sort -n | tee "$dir/exponents"
  most=$(awk '{ print $4 }' "$dir/exponents" | sort -g | tail -n 1)
  verdict "$most <= 0.75" "bytes grow with the contacts of a part to the power $most (asked 0.75)"
}

# Interior point on two processes; slipcone then evaluates the error of the impulses written, with
# another form of W, and nothing else.
part_walls() {
  for contacts in $(scaled 10000) $(scaled 20000); do
    "$tool" generate wall --contacts "$contacts" --out "$dir/wall.hdf5" >/dev/null
    distributed 2 solve --method ipm --tol 1e-8 --out "$dir/solved.hdf5" "$dir/wall.hdf5"
    "$tool" solve --form global --warm-start --max-iter 0 --method nsgs --set operator=block \
      --tol 1e-8 --no-diagnose --json "$dir/solved.hdf5" >"$dir/json" || true
    verdict "\"$(value outcome <"$dir/json")\" == \"SOLVED\"" \
      "wall of $contacts contacts at 1e-8, error by slipcone $(value error <"$dir/json")"
  done
}

part_large() { # on four processes at 1e-3
  distributed 4 solve --tol 1e-3 --json --pile "$LARGE" >"$dir/json"
  outcome=$(value outcome <"$dir/json") all=$(value memory_all <"$dir/json")
  echo "pile of $LARGE contacts on 4 processes: $outcome, $(value iterations <"$dir/json") sweeps in" \
    "$(value seconds <"$dir/json") s, $all bytes of all, $(value memory_most <"$dir/json") of one"
  verdict "\"$outcome\" == \"SOLVED\" && ${all:-1e99} <= 22e9" "solved at 1e-3 within 22 GB"
}

part_kills() {
  if OMPI_MCA_mpi_yield_when_idle=1 LD_PRELOAD="${BUSY:+$nap}" "$here/../mpi/tests/test_kill.sh" "$many" mpirun "$KILLS" \
    >"$dir/kills"; then good=1; else good=0; fi
  cat "$dir/kills"
  verdict "$good" "killed $KILLS times and started again, with the bits of a run that was not"
}

for part in "$@"; do
  echo "== $part"
  "part_$part" # times is a word of the shell
done
