#!/bin/bash
# The README's commands of the tool, in order, in a folder with nothing but its scene.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"

awk '/^```/ { fenced = !fenced } /^## (With the tool|A simulation)/ { inside = 1; next }
     /^## / { inside = 0 } inside && !fenced && /^    /' \
  "$root/README.md" | sed 's/^    //' >"$scratch/commands"
mkdir "$scratch/bin" "$scratch/empty"
awk '/^```yaml/ { inside = 1; next } /^```/ { inside = 0 } inside' "$root/README.md" \
  >"$scratch/empty/arch.yaml"
ln -s "$SLIPCONE" "$scratch/bin/slipcone"
PATH=$scratch/bin:$PATH
cd "$scratch/empty" || exit 1
count=0
while IFS= read -r line; do
  command_line=$line
  bash -c "$line" >../out 2>../err </dev/null || {
    fail "'$line' gave $?"
    cat ../out ../err
  }
  count=$((count + 1))
done <../commands
[ $count -ge 12 ] || fail "the README has $count commands"
exists report.html
exists longer.h5
exists arch.svg
finish
