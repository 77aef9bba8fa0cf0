#!/bin/sh
# Install Debian packages and try them, in a copy of this system that is gone afterwards: a mount
# namespace with an overlay over the root. try_debs.sh FOLDER_OF_DEBS SOURCE_DIR
# Status 77 where such a copy cannot be made (it takes an administrator).
set -eu
debs=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)

if [ "${3:-}" != inside ]; then
  scratch=$(mktemp -d)
  trap 'rmdir "$scratch"' EXIT
  copy="mount -t tmpfs tmpfs '$scratch' && cd '$scratch' && mkdir upper work root &&
    mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root &&
    mount -t proc proc root/proc && mount --bind /dev root/dev"
  if [ "$(id -u)" != 0 ] || ! unshare -m sh -c "$copy" 2>/dev/null; then
    echo "the packages are not tried: no copy of this system can be made here"
    exit 77
  fi
  unshare -m sh -c "$copy && env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    chroot root sh '$source/tests/packaging/try_debs.sh' '$debs' '$source' inside"
  exit
fi

say() { echo "packages: $1"; }
install_log=$(mktemp)
dpkg -i $(ls "$debs"/*.deb | grep -v dbgsym) >"$install_log" 2>&1 || { cat "$install_log"; exit 1; }
mkdir /tmp/try && cd /tmp/try
version=$(dpkg-query -W -f '${Version}' slipcone)
slipcone --version | grep -q "${version%-*}"
slipcone generate pile --contacts 30 --out pile.hdf5 >/dev/null
slipcone solve --tol 1e-8 --out solved.hdf5 pile.hdf5 | grep -q SOLVED
zgrep -q slipcone /usr/share/man/man1/slipcone.1.gz
[ -e /usr/share/doc/slipcone/scenes/wall.yaml ] || [ -e /usr/share/doc/slipcone/scenes/wall.yaml.gz ]
say "the tool runs"
cp "$source/examples/quickstart.c" .
cc quickstart.c $(pkg-config --cflags --libs slipcone) -o quickstart
./quickstart | grep -q 'SOLVED: impulse (1, -0.5, 0)'
ldd quickstart | grep -q '=> /\(usr/\)\?lib/.*libslipcone'
say "a C program builds and runs"
/usr/bin/python3 - <<'END'
import slipcone
assert slipcone.__file__.startswith("/usr/lib/python3/dist-packages/"), slipcone.__file__
file = slipcone.read("solved.hdf5")
assert file.problem.solve(tol=1e-8).r.tobytes() == file.solution.r.tobytes()
END
say "Python gives the bits of the tool"
dpkg -r python3-slipcone slipcone libslipcone-dev >/dev/null 2>&1
[ ! -e /usr/bin/slipcone ] && [ ! -e /usr/lib/python3/dist-packages/slipcone ]
say "they can be removed"
