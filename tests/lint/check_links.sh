#!/bin/sh
# Every relative link of the documents leads to a file: check_links.sh ROOT
set -eu
cd "$1"
bad=0
for page in *.md $(find docs -name '*.md'); do
  for link in $(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//'); do
    case $link in
    http:* | https:* | mailto:*) continue ;;
    esac
    if [ ! -e "$(dirname "$page")/$link" ]; then
      echo "$page: no such file: $link"
      bad=1
    fi
  done
done
exit $bad
