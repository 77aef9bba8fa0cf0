#!/bin/sh
# The dependency rule: check_includes.sh ROOT
#
#   base <- linalg <- contact <- methods <- solver <- {exist, io, gen, bench}
#   {base <- geom, linalg <- fem, solver} <- sim <- {scene, record};  fem <- {io, gen}
#   cli sees public headers only
#
# Includes point left only; rooms of the same level do not see each other; a method includes the
# headers its room shares (method.h, loop.h, inner.h, plan.h, common_*.h) and its own (nsgs.c those
# of nsgs_*.h), never another method's; cli includes only <slipcone/...> and its own headers.
# Methods reach W through the functions of the operator, never through the fields that say how it
# is held. Prints every offending line; status 1 when there is one.
set -eu
cd "$1"

shared_by_methods='method|table|loop|inner|plan|common_[a-z0-9_]+'
level='
  base 1
  linalg 2
  contact 3
  methods 4
  solver 5
  exist 6
  io 6
  gen 6
  bench 6
  geom 2
  fem 3
  sim 6
  scene 7
  record 7'

files=$(find src cli -name '*.[ch]' 2>/dev/null | sort)
[ -n "$files" ] || { echo "check_includes.sh: no sources under $1" >&2; exit 2; }

awk -v levels="$level" -v shared="^($shared_by_methods)$" '
  function stem(path) { sub(/.*\//, "", path); sub(/\.[ch]$/, "", path); return path }
  function family(path) { path = stem(path); sub(/_.*/, "", path); return path }
  function offend(why) { printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0; bad = 1 }
  BEGIN { n = split(levels, word); for (k = 1; k < n; k += 2) rank[word[k]] = word[k + 1] }
  FNR == 1 {
    split(FILENAME, part, "/"); cli = part[1] == "cli"; room = part[2]
    if (!cli && !(room in rank)) { offend("src/" room " is no known room"); nextfile }
  }
  room == "methods" && /op->(table|problem|mass|data|matrix|system)/ {
    offend("methods use the functions of the operator")
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0; sub(/^[^"]*"/, "", target); sub(/".*/, "", target)
    if (target ~ /\.\./) { offend("an include may not climb out of its folder"); next }
    if (target !~ /\.h$/) { offend("only headers are included"); next }
    if (target ~ /^slipcone\//) { offend("public headers are included with <>"); next }
    split(target, part, "/"); to = part[1]
    if (cli) {
      if (target ~ /\//) offend("cli includes only <slipcone/...> and its own headers")
      next
    }
    if (target !~ /\//) { offend("write the room: \"" room "/" target "\""); next }
    if (!(to in rank)) { offend(to " is no known room"); next }
    if (to != room && rank[to] >= rank[room]) offend(room " may not include " to)
    if (room == "methods" && to == "methods" && stem(FILENAME) != "table" &&
        family(target) != family(FILENAME) && stem(target) !~ shared)
      offend("a method may not include another method")
  }
  END { exit bad }
' $files
