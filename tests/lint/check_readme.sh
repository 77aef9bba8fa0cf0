#!/bin/sh
# The C example of the README is examples/quickstart.c, to the letter, and as short as it says. Scenes
# that the documents and the tool's help name are there.
# check_readme.sh ROOT
set -eu
cd "$1"
shown=$(awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md)
if [ "$shown" != "$(cat examples/quickstart.c)" ]; then
  echo "README.md and examples/quickstart.c differ"
  exit 1
fi
missing=$(grep -rhoE "scenes/[a-zA-Z0-9_-]+\.yaml" README.md CONTRIBUTING.md docs cli bench examples | sort -u |
  while read -r scene; do [ -f "$scene" ] || echo "$scene"; done)
if [ -n "$missing" ]; then
  echo "named, but not there: $missing"
  exit 1
fi
