#!/bin/sh
# The report in a browser: test_report.sh CAMPAIGN REPORT SCRATCH
#
# Reports of a large campaign, of hostile names, of failures only and of nothing are opened in
# headless Chromium with checks.js put at their end; nothing of the tests is in the reports
# themselves. SCREENSHOTS=1 also leaves pictures of the large one in SCRATCH. Status 77: no browser.
set -eu
campaign=$1
report=$2
scratch=$3
here=$(cd "$(dirname "$0")" && pwd)

browser=
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && browser=$name && break
done
[ -n "$browser" ] || {
  echo "no Chromium here"
  exit 77
}
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

browse() {
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --disable-dev-shm-usage --hide-scrollbars --user-data-dir="$scratch/profile" "$@"
}

# NAME CHECKS: NAME.html with the tests put in, run, and what they found.
failures=0
check_page() {
  awk -v here="$here" -v checks="$2" -v expected="$1.js" '
    function add(file) { while ((getline line < file) > 0) print line }
    $0 == "</body>" {
      print "<script>"; add(expected); add(here "/checks.js"); print "runChecks(" checks ");</script>" }
    { print }
    $0 == "<head>" { print "<script>"; add(here "/watch.js"); print "</script>" }
  ' "$1.html" >"$1.test.html"
  browse --window-size=1300,900 --dump-dom "file://$scratch/$1.test.html" >"$1.dom" 2>"$1.log" || true
  sed -n '/<pre id="checks">/,/<\/pre>/p' "$1.dom" | sed 's/<[^>]*>//g' >"$1.found"
  echo "== $1"
  cat "$1.found"
  if grep -q '^FAIL' "$1.found" || ! grep -q '^done' "$1.found"; then
    echo "$1: the page fails"
    tail -n 5 "$1.log"
    failures=1
  fi
}

header='problem,family,contacts,dof,dimension,method,tol,outcome,error,iterations,seconds,peak_kib,trace,commit,compiler,cpu,version'
bad='"</script><b id=broken>&""'"'"'\"'
badly='"f/</script><b id=broken>&""'"'"'\"'

"$campaign" 40 150 >campaign.csv
"$report" campaign.csv campaign.html campaign.svg campaign.js
check_page campaign campaignChecks

printf '%s\n' "$header" >hostile.csv
for method in "$bad" plain; do
  printf '%s,%s,3,6,3,%s,1e-4,SOLVED,1e-5,9,0.5,100,1:1:0.1;2:1e-5:0.5,%s,%s,%s,%s\n' \
    "$badly" "$bad" "$method" "$bad" "$bad" "$bad" "$bad" >>hostile.csv
done
"$report" hostile.csv hostile.html
check_page hostile hostileChecks

printf '%s\n' "$header" >empty.csv
"$report" empty.csv empty.html
check_page empty emptyChecks

printf '%s\n' "$header" >failures.csv
printf '%s\n' 'f/p,f,3,6,3,one,1e-4,CRASH,,,,,,c,g,p,v' 'f/p,f,3,6,3,two,1e-4,DIVERGED,nan,5,0.2,,,c,g,p,v' >>failures.csv
"$report" failures.csv failures.html
check_page failures failureChecks

# The bars: below 5 MB, and ready within 2 s.
bytes=$(wc -c <campaign.html)
ready=$(sed -n 's/^loaded \([0-9]*\) ms$/\1/p' campaign.found)
echo "12000 runs: $bytes bytes, ready after ${ready:-?} ms"
[ "$bytes" -lt 5000000 ] && [ "${ready:-9999}" -lt 2000 ] || failures=1

if [ -n "${SCREENSHOTS:-}" ]; then
  page="file://$scratch/campaign.html"
  browse --window-size=1300,2200 --screenshot=light.png "$page" 2>/dev/null
  browse --window-size=1300,2200 --blink-settings=preferredColorScheme=0 --screenshot=dark.png "$page" 2>/dev/null
  browse --window-size=500,2200 --screenshot=narrow.png "$page" 2>/dev/null
  browse --window-size=760,700 --screenshot=plot.png "file://$scratch/campaign.svg" 2>/dev/null
  browse --print-to-pdf=report.pdf "$page" 2>/dev/null
fi
exit $failures
