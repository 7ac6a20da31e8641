import {deflateSync} from 'node:zlib';
import {Random} from './random.ts';

/** Words for the generated texts: `common` ones, each once, and the `running` words of a prose. */
export interface Vocabulary {
  readonly common: readonly string[];
  readonly running: readonly string[];
}

type Maker = (random: Random, words: Vocabulary) => string;

const EMOJI = [...'😀😂🤣😍🙏👍🔥🎉🚀💡✅❌⚠🐛📦🔒🧪📈🌍❤💔🤖👀🎯📝🍕🏠⚡🌧🐍'];
const FIRST_NAMES = 'Anna Boris Chen Divya Elif Farid Grace Hiro Ines Jonas Katarzyna Liam Mei Noor Olga Pedro'.split(
  ' ',
);
const LAST_NAMES = 'Smith Garcia Müller Novak Kowalski Tanaka Okafor Rossi Dubois Andersen Silva Haddad Petrov'.split(
  ' ',
);
const CITIES = 'Berlin,São Paulo,Tokyo,New York,Lagos,Kraków,Zürich,Mumbai,Toronto,Sydney'.split(',');
const LEVELS = ['INFO', 'DEBUG', 'WARN', 'ERROR'];
const EVENTS =
  'request completed|cache miss|retrying after timeout|user logged in|job finished|connection reset by peer'.split('|');

/** Text that tools return and no package ships: each maker gives one file. */
export const MAKERS: Readonly<Record<string, Maker>> = {
  'JSON, pretty': (random, words) => JSON.stringify(records(random, words, 14), null, 2),
  'JSON, compact': (random, words) => JSON.stringify(records(random, words, 16)),
  'JSON, API rows': (random) => JSON.stringify(rows(random, 60)),
  'JSON, lines': (random, words) => random.repeat(30, '\n', () => JSON.stringify(logObject(random, words))),
  logs: (random, words) => random.repeat(50, '\n', () => logLine(random, words)),
  'access logs': (random, words) => random.repeat(40, '\n', () => accessLine(random, words)),
  'stack traces': (random, words) => random.repeat(8, '\n\n', () => stackTrace(random, words)),
  'CSV, numbers': (random) => random.repeat(120, '\n', () => random.repeat(8, ',', () => decimal(random))),
  'CSV, mixed': (random, words) => random.repeat(70, '\n', (index) => csvLine(random, words, index)),
  hex: (random) => random.repeat(60, '\n', () => random.hex(64)),
  'hex dump': (random) => random.repeat(70, '\n', (index) => hexDumpLine(random, index)),
  UUIDs: (random) => random.repeat(110, '\n', () => random.uuid()),
  base64: (random) => random.bytes(3_600).toString('base64'),
  'base64, lines': (random, words) =>
    deflateSync(sentence(random, words, 1_400))
      .toString('base64')
      .replace(/.{76}/gu, '$&\n'),
  URLs: (random, words) => random.repeat(50, '\n', () => url(random, words)),
  emoji: (random) => random.repeat(700, '', () => random.pick(EMOJI)),
  chat: (random, words) => random.repeat(50, '\n', () => chatLine(random, words)),
  'file listing': (random, words) => random.repeat(60, '\n', () => listingLine(random, words)),
  'Markdown table': (random, words) => markdownTable(random, words),
  diff: (random, words) => diff(random, words),
  SQL: (random, words) => random.repeat(24, '\n', (index) => insertStatement(random, words, index)),
  YAML: (random, words) => random.repeat(16, '\n', () => yamlEntry(random, words)),
  'HTML, page': (random, words) => htmlPage(random, words),
  XML: (random, words) => xml(random, words),
};

/** `count` files of one kind. */
export function generate(kind: string, words: Vocabulary, count: number): string[] {
  const maker = MAKERS[kind];
  if (maker === undefined) {
    throw new Error(`No maker for ${kind}.`);
  }
  const seed = [...kind].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), 7);
  return Array.from({length: count}, (_, index) => maker(new Random(seed + 1_000 * index), words));
}

function sentence(random: Random, {running}: Vocabulary, count: number): string {
  const start = random.integer(0, running.length - count);
  return running.slice(start, start + count).join(' ');
}

function identifier(random: Random, words: Vocabulary): string {
  const [first = 'a', ...rest] = Array.from({length: random.integer(1, 3)}, () =>
    random.pick(words.common).toLowerCase(),
  );
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function decimal(random: Random): string {
  return (random.next() * 10 ** random.integer(0, 5)).toFixed(random.integer(0, 6));
}

function person(random: Random): {name: string; email: string} {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  return {name: `${first} ${last}`, email: `${first}.${last}@example.com`.toLowerCase()};
}

function records(random: Random, words: Vocabulary, count: number): unknown[] {
  return Array.from({length: count}, () => ({
    id: random.uuid(),
    ...person(random),
    active: random.next() > 0.5,
    createdAt: random.time(),
    address: {
      city: random.pick(CITIES),
      zip: String(random.integer(10_000, 99_999)),
      country: random.pick(['DE', 'US', 'JP']),
    },
    tags: Array.from({length: random.integer(1, 4)}, () => random.pick(words.common)),
    description: sentence(random, words, random.integer(6, 20)),
    score: Number(decimal(random)),
    parent: random.next() > 0.7 ? null : random.integer(1, 5_000),
  }));
}

function rows(random: Random, count: number): unknown {
  return {
    total: count,
    rows: Array.from({length: count}, (_, index) => ({
      id: 10_000 + index,
      sku: `${random.hex(4).toUpperCase()}-${random.integer(100, 999)}`,
      price: random.integer(100, 99_999) / 100,
      stock: random.integer(0, 500),
      lat: Number((random.next() * 90).toFixed(6)),
      lon: Number((random.next() * 180).toFixed(6)),
      updated: random.time(),
    })),
  };
}

function logObject(random: Random, words: Vocabulary): unknown {
  return {
    ts: random.time(),
    level: random.pick(LEVELS).toLowerCase(),
    logger: `${random.pick(words.common)}.${random.pick(words.common)}`,
    msg: random.pick(EVENTS),
    trace_id: random.hex(32),
    duration_ms: random.integer(1, 5_000),
    user: random.integer(1, 99_999),
  };
}

function address(random: Random): string {
  return random.repeat(4, '.', () => String(random.integer(1, 254)));
}

function logLine(random: Random, words: Vocabulary): string {
  const source = `${random.pick(words.common)}.${identifier(random, words)}`;
  const details = `id=${random.hex(8)} took=${random.integer(1, 9_000)}ms status=${random.pick([200, 404, 500])} ip=${address(random)}`;
  return `${random.time()} ${random.pick(LEVELS).padEnd(5)} [worker-${random.integer(1, 16)}] ${source} - ${random.pick(EVENTS)} ${details}`;
}

function accessLine(random: Random, words: Vocabulary): string {
  const request = `${random.pick(['GET', 'POST'])} /${random.pick(words.common)}/${random.integer(1, 9_999)}?${random.pick(words.common)}=${random.hex(6)} HTTP/1.1`;
  return `${address(random)} - - [12/Mar/2025:${random.integer(10, 23)}:${random.integer(10, 59)}:${random.integer(10, 59)} +0000] "${request}" ${random.pick([200, 301, 404])} ${random.integer(200, 90_000)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"`;
}

function stackTrace(random: Random, words: Vocabulary): string {
  const frame = random.pick([
    () =>
      `    at ${identifier(random, words)}.${identifier(random, words)} (/srv/app/node_modules/${random.pick(words.common)}/lib/${random.pick(words.common)}.js:${random.integer(1, 900)}:${random.integer(1, 80)})`,
    () =>
      `  File "/usr/lib/python3/${random.pick(words.common)}/${random.pick(words.common)}.py", line ${random.integer(1, 900)}, in ${random.pick(words.common)}_${random.pick(words.common)}\n    return self.${random.pick(words.common)}(${random.pick(words.common)})`,
    () =>
      `\tat com.example.${random.pick(words.common)}.${identifier(random, words)}.${identifier(random, words)}(${identifier(random, words)}.java:${random.integer(1, 900)})`,
  ]);
  const title = `${random.pick(['TypeError', 'ValueError', 'java.lang.IllegalStateException'])}: ${sentence(random, words, random.integer(4, 9))}`;
  return `${title}\n${random.repeat(random.integer(5, 12), '\n', frame)}`;
}

function csvLine(random: Random, words: Vocabulary, index: number): string {
  const {name, email} = person(random);
  return [
    index + 1,
    name,
    email,
    random.pick(CITIES),
    random.time().slice(0, 10),
    decimal(random),
    random.pick(words.common),
  ].join(',');
}

function hexDumpLine(random: Random, index: number): string {
  const bytes = random.bytes(16);
  const codes = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const shown = [...bytes].map((byte) => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
  return `${(index * 16).toString(16).padStart(8, '0')}  ${codes}  |${shown}|`;
}

function url(random: Random, words: Vocabulary): string {
  const path = random.repeat(random.integer(1, 4), '/', () => random.pick(words.common));
  return `https://${random.pick(['www', 'api', 'cdn'])}.${random.pick(words.common)}.${random.pick(['com', 'org', 'io'])}/${path}?${random.pick(words.common)}=${random.integer(1, 9_999)}&ref=${random.hex(10)}`;
}

function chatLine(random: Random, words: Vocabulary): string {
  const {name} = person(random);
  return `${name}: ${sentence(random, words, random.integer(4, 18))}${random.next() > 0.5 ? ` ${random.pick(EMOJI)}` : '!'}`;
}

function listingLine(random: Random, words: Vocabulary): string {
  const size = String(random.integer(20, 9_000_000)).padStart(8);
  const name = `${random.pick(words.common)}${random.pick(['.ts', '.md', '_test.go', '.json', '-config.yaml', ''])}`;
  return `${random.pick(['-rw-r--r--', 'drwxr-xr-x'])}  1 ${random.pick(['root', 'deploy'])} staff ${size} ${random.pick(['Jan', 'Jun', 'Nov'])} ${random.integer(10, 28)} ${random.integer(10, 23)}:${random.integer(10, 59)} ${name}`;
}

function markdownTable(random: Random, words: Vocabulary): string {
  const line = () =>
    `| ${random.pick(words.common)} | ${random.integer(1, 9_999)} | ${sentence(random, words, 5)} | ${random.pick(['yes', 'no'])} |`;
  return `| name | count | description | done |\n| --- | ---: | --- | :-: |\n${random.repeat(60, '\n', line)}`;
}

function diff(random: Random, words: Vocabulary): string {
  const line = () =>
    `${random.pick(['+', '-', ' ', ' '])}${' '.repeat(2 * random.integer(0, 4))}${random.pick(['const', 'return', 'await', 'if'])} ${identifier(random, words)}${random.pick([' = ', '(', '.'])}${identifier(random, words)}${random.pick([';', ')', ' {'])}`;
  const hunk = () =>
    `@@ -${random.integer(1, 400)},${random.integer(4, 30)} +${random.integer(1, 400)},${random.integer(4, 30)} @@\n${random.repeat(14, '\n', line)}`;
  return random.repeat(
    6,
    '\n',
    () =>
      `diff --git a/src/${random.pick(words.common)}.ts b/src/${random.pick(words.common)}.ts\nindex ${random.hex(7)}..${random.hex(7)} 100644\n${hunk()}`,
  );
}

function insertStatement(random: Random, words: Vocabulary, index: number): string {
  const {name, email} = person(random);
  return `INSERT INTO ${random.pick(words.common)}_${random.pick(words.common)} (id, name, email, created_at, amount) VALUES (${index}, '${name}', '${email}', '${random.time()}', ${decimal(random)});\nSELECT u.id, COUNT(*) AS total FROM ${random.pick(words.common)} u JOIN ${random.pick(words.common)} o ON o.user_id = u.id WHERE u.${random.pick(words.common)} > ${random.integer(1, 900)} GROUP BY u.id ORDER BY total DESC LIMIT ${random.integer(1, 100)};`;
}

function yamlEntry(random: Random, words: Vocabulary): string {
  return `- name: ${random.pick(words.common)}-${random.pick(words.common)}\n  image: registry.example.com/${random.pick(words.common)}:${random.integer(0, 9)}.${random.integer(0, 40)}\n  replicas: ${random.integer(1, 9)}\n  env:\n    - key: ${random.pick(words.common).toUpperCase()}_${random.pick(words.common).toUpperCase()}\n      value: "${sentence(random, words, 3)}"\n  resources: {cpu: ${random.integer(1, 8)}00m, memory: ${random.integer(1, 8)}Gi}`;
}

function htmlPage(random: Random, words: Vocabulary): string {
  const item = () =>
    `    <li class="${random.pick(words.common)}-${random.pick(words.common)}" data-id="${random.integer(1, 9_999)}"><a href="/${random.pick(words.common)}/${random.integer(1, 999)}">${sentence(random, words, 4)}</a></li>`;
  return `<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${sentence(random, words, 4)}</title></head>\n<body>\n  <ul>\n${random.repeat(30, '\n', item)}\n  </ul>\n  <p>${sentence(random, words, 60)}</p>\n</body>\n</html>`;
}

function xml(random: Random, words: Vocabulary): string {
  const entry = () =>
    `  <entry id="${random.integer(1, 99_999)}">\n    <title>${sentence(random, words, 4)}</title>\n    <updated>${random.time()}</updated>\n    <${random.pick(words.common)}>${decimal(random)}</${random.pick(words.common)}>\n  </entry>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<feed>\n${random.repeat(24, '\n', entry)}\n</feed>`;
}
