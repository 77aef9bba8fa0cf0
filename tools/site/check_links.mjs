/* Every link of a static site that stays within it leads to a file, and to a place in it that is there:
 * check_links.mjs SITE. Prints those that do not; status 1 when there is one. */
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const site = process.argv[2];
const files = readdirSync(site, { recursive: true }).map(String).filter((name) => name.endsWith(".html"));
const anchors = new Map();
let links = 0, bad = 0;

function text(path) {
  /* A viewer's page has scripts and data that are no links. */
  return readFileSync(path, "utf8").replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, (whole) => /^<[^>]*>/.exec(whole)[0]);
}

function hasAnchor(path, anchor) {
  if (!anchors.has(path)) anchors.set(path, new Set([...text(path).matchAll(/\b(?:id|name)=["']?([^"'\s>]+)/g)].map((found) => found[1])));
  return anchors.get(path).has(anchor);
}

function check(page, link) {
  if (/^([a-z]+:|\/\/|#?$)/i.test(link) || link.includes("javascript:")) return;
  links++;
  const [place, anchor] = link.replaceAll("&amp;", "&").split("#"), clean = decodeURIComponent(place.split("?")[0]);
  let target = clean.startsWith("/") ? join(site, clean) : clean ? join(dirname(page), clean) : page;
  if (existsSync(target) && statSync(target).isDirectory()) target = join(target, "index.html");
  const there = existsSync(target) && (!anchor || !target.endsWith(".html") || hasAnchor(target, decodeURIComponent(anchor)));
  if (there) return;
  bad++;
  console.log(`${relative(site, page)}: broken link: ${link}`);
}

for (const name of files) {
  const page = join(site, name);
  for (const [, link] of text(page).matchAll(/<[a-z][^>]*?\b(?:href|src)=["']([^"']*)["']/gi)) check(page, link);
}
console.log(`${files.length} pages, ${links} links, ${bad} broken`);
process.exit(bad || !files.length ? 1 : 0);
