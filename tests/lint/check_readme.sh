#!/bin/sh
# The C example of the README is examples/quickstart.c, to the letter, and as short as it says.
# check_readme.sh ROOT
set -eu
cd "$1"
shown=$(awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md)
if [ "$shown" != "$(cat examples/quickstart.c)" ]; then
  echo "README.md and examples/quickstart.c differ"
  exit 1
fi
