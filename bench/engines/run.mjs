// node run.mjs ENGINE [TEST...] runs tests and keeps their numbers in results/ENGINE.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ENGINES, run } from './engines.mjs';
import { TESTS } from './tests.mjs';

const [engine, ...names] = process.argv.slice(2);
if (!ENGINES[engine] || names.some((name) => !TESTS[name])) {
  console.error(`usage: node run.mjs ENGINE [TEST...]
engines: ${Object.keys(ENGINES).join(' ')}
tests:   ${Object.keys(TESTS).join(' ')}`);
  process.exit(2);
}

const folder = new URL('results/', import.meta.url);
const file = new URL(`${engine}.json`, folder);
mkdirSync(folder, { recursive: true });
const results = existsSync(file) ? JSON.parse(readFileSync(file)) : {};
for (const name of names.length ? names : Object.keys(TESTS)) {
  try {
    results[name] = await TESTS[name]((scene, steps, every) => run(engine, scene, steps, every));
  } catch (error) {
    console.error(engine, name, error.message ?? error); // not kept: it may name places of the machine
    continue;
  }
  console.log(engine, name, JSON.stringify(results[name]));
  writeFileSync(file, JSON.stringify(results, null, 1) + '\n');
}
process.exit(0); // some engines keep threads
