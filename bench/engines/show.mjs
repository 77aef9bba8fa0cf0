// node show.mjs writes docs/engines.md from results/*.json. Figures of earlier.json, which were measured
// before with the same scenes, stand in where a run is missing, and are marked.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ENGINES } from './engines.mjs';

const read = (name) => {
  const file = new URL(name, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file)) : {};
};

/** Three digits, without exponents for what is small enough to be rounding. */
const short = (x, least = 1e-4) => {
  if (x === null || x === undefined) return 'never';
  return Math.abs(x) < least ? '0' : String(Number(x.toPrecision(3)));
};
const both = (a, b, least) => `${short(a, least)} / ${short(b, least)}`;
const percent = (share) => {
  const value = short(100 * share, 1e-6);
  return value === '0' ? '0' : `${share > 0 ? '+' : ''}${value} %`;
};

function stackText({ falls, sinks, drifts }) {
  if (falls !== undefined) return `falls (${falls} s)`;
  const most = Math.max(Math.abs(sinks), drifts);
  if (most < 0.5) return 'stands';
  return Math.abs(sinks) > drifts ? `sinks ${short(sinks)} mm` : `drifts ${short(drifts)} mm`;
}

const COLUMNS = [
  ['creep', 'creep mm/s', 'slope', (r) => short(r.creep, 1e-3)],
  ['slides', 'slides mm/s', 'slope', (r) => short(r.slides, 1e-3)],
  ['stop', 'way mm', 'stop', (r) => both(r.error5, r.error20, 1e-3)],
  ['lift', 'lift mm', 'stop', (r) => both(r.lift5, r.lift20, 5e-3)],
  ['slideAndSpin', 'slide / spin s', 'slideAndSpin', (r) => both(r.slide, r.spin)],
  [
    'directions',
    'directions m',
    'directions',
    (r) => `${r.ways.map((x) => x.toFixed(4)).join(' ')}, ${short(r.off, 1e-3)}°`,
  ],
  ['stack', 'stack', 'stack', (r) => `${stackText(r.m100)}; ${stackText(r.m512)}`],
  ['arch', 'arch', 'arch', (r) => short(r.falls)],
  [
    'ladder',
    'ladder',
    'ladder',
    (r) => (typeof r.ratio === 'number' ? r.ratio.toFixed(3) : r.ratio),
  ],
  ['freeBody', 'free body', 'freeBody', (r) => `${percent(r.energy)}, ${r.flips}`],
  ['rods', 'rods', 'rods', (r) => (r.gained ? `${r.gained}, ${percent(r.most)}` : '0')],
  [
    'heap',
    'heap J; mm; ms',
    'heap',
    (r) => [r.energy, r.overlap, r.milliseconds].map((x) => short(x)).join('; '),
  ],
];

const earlier = read('earlier.json');

function cell(engine, results, [key, , test, text]) {
  if (results[test]) return text(results[test]);
  return earlier[engine]?.[key] ? `${earlier[engine][key]} \\*` : '–';
}

const line = (cells) => `| ${cells.join(' | ')} |`;

function table() {
  const rows = Object.entries(ENGINES).map(([engine, { title }]) => {
    const results = read(`results/${engine}.json`);
    return line([title, ...COLUMNS.map((column) => cell(engine, results, column))]);
  });
  const head = ['', ...COLUMNS.map(([, title]) => title)];
  return [line(head), line(head.map(() => '---')), ...rows].join('\n');
}

/** A run of Siconos that was given up (`stopped`) has the processor time it had used by then. */
function heaps() {
  const titles = { spheres1000: '1,000 spheres', boxes200: '200 boxes' };
  const [ours, theirs] = [read('results/slipcone.json'), read('results/siconos.json')];
  const rows = Object.entries(titles).map(([test, title]) => {
    const [a, b] = [ours[test], theirs[test]];
    const more = b?.stopped ? '> ' : '';
    return line([
      title,
      a ? short(a.milliseconds) : '–',
      b ? more + short(b.milliseconds) : '–',
      a && b ? more + short(b.milliseconds / a.milliseconds) : '–',
    ]);
  });
  const head = [line(['', 'Slipcone', 'Siconos', 'ratio']), line(Array(4).fill('---'))];
  return [...head, ...rows].join('\n');
}

const page = readFileSync(new URL('page.md', import.meta.url), 'utf8')
  .replace('TABLE\n', () => `${table()}\n`)
  .replace('HEAPS\n', () => `${heaps()}\n`);
writeFileSync(new URL('../../docs/engines.md', import.meta.url), page);
