#!/bin/bash
# The README's commands of the tool, in order, in an empty folder.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"

awk '/^## With the tool/ { inside = 1; next } /^## / { inside = 0 } inside && /^    /' \
  "$root/README.md" | sed 's/^    //' >"$scratch/commands"
mkdir "$scratch/bin" "$scratch/empty"
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
[ $count -ge 8 ] || fail "the README has $count commands"
exists report.html
finish
