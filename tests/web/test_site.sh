#!/bin/sh
# The gallery and the documents as a site, with two scenes: test_site.sh TOOL ROOT SCRATCH
# Also that the checker of its links finds those that are broken. Status 77: something is missing.
set -u
tool=$1
root=$2
scratch=$3
failures=0
fail() {
  echo "FAILED: $*"
  failures=1
}

rm -rf "$scratch"
mkdir -p "$scratch/small/sub"
cd "$scratch" || exit 1
page() { printf '<html><body><h1 id="top">x</h1>%s</body></html>\n' "$2" >"small/$1"; }
links() { node "$root/tools/site/check_links.mjs" small >links.txt; }

page sub/index.html '<a href="../one.html#top">back</a>'
page one.html '<a href="sub">in</a> <a href="#top">up</a> <a href="https://example.org/">out</a> <script>a = "<a href=nowhere>"</script>'
links || fail "a sound site: $(cat links.txt)"
for link in nowhere.html sub/nowhere.png 'sub/index.html#nowhere' '#nowhere'; do
  page one.html "<a href=\"$link\">broken</a>"
  links && fail "$link is not found broken"
done

for command in mkdocs doxygen chromium; do
  command -v $command >/dev/null 2>&1 || {
    echo "no $command here"
    [ $failures -eq 0 ] && exit 77
    exit 1
  }
done
SCENES="bouncing-ball painleve-rod" SCENE_SECONDS=10 "$root/tools/gallery" "$tool" site >out 2>&1 || fail "the site: $(tail -n 20 out)"
for file in index.html search/search_index.json docs/viewer.html api/record_8h.html gallery/index.html \
  gallery/bouncing-ball.html gallery/bouncing-ball.jpg gallery/pages/bouncing-ball.html gallery/painleve-rod.jpg; do
  [ -s "site/$file" ] || fail "the site has no $file"
done
grep -q 'slip_trajectory_page' site/api/record_8h.html || fail "the reference lacks a function"
grep -q 'A ball falls one metre' site/gallery/bouncing-ball.html || fail "a scene's page lacks its text"
exit $failures
