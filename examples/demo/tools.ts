import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join, posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {FunctionTool} from '@google/adk';
import {z} from 'zod';
import {PACKAGE_ROOT_URL} from '../../src/package-root.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT_URL);
const PAGE_LINES = 100;
const MAX_MATCHES = 20;

/** Every source file of the package, as sorted paths such as `src/plan/elide.ts`. */
export function sourceFiles(folder = 'src'): string[] {
  return readdirSync(join(ROOT, folder), {recursive: true, encoding: 'utf8'})
    .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** Number of pages that `read` gives a file in. */
export function pageCount(path: string): number {
  return Math.ceil(lines(path).length / PAGE_LINES);
}

/** The lines of one page, the first being 1. */
export function pageText(path: string, page: number): string {
  return lines(path)
    .slice((page - 1) * PAGE_LINES, page * PAGE_LINES)
    .join('\n');
}

/**
 * The three tools of the demo's agent. They read the package's own source and nothing else.
 *
 * @param before runs inside each tool before its work, with the tool's name.
 */
export function sourceTools(before: (name: string) => Promise<void>): FunctionTool<z.ZodObject>[] {
  return [
    new FunctionTool({
      name: 'list',
      description: 'Lists the source files of a folder with their sizes in bytes.',
      parameters: z.object({folder: z.string().describe('Such as src/plan.')}),
      execute: async ({folder}) => {
        await before('list');
        return {
          files: sourceFiles()
            .filter((path) => path.startsWith(`${folder}/`))
            .map(describeFile),
        };
      },
    }),
    new FunctionTool({
      name: 'read',
      description: `Reads a page of ${PAGE_LINES} lines of a source file.`,
      parameters: z.object({path: z.string(), page: z.number().describe('The first page is 1.')}),
      execute: async ({path, page}) => {
        await before('read');
        if (!sourceFiles().includes(path)) return {error: `${path} is not a source file.`};
        return {path, page, pages: pageCount(path), text: pageText(path, page)};
      },
    }),
    new FunctionTool({
      name: 'search',
      description: `Finds a text in the source files; gives at most ${MAX_MATCHES} lines.`,
      parameters: z.object({text: z.string()}),
      execute: async ({text}) => {
        await before('search');
        const matches = sourceFiles().flatMap((path) =>
          lines(path).flatMap((line, index) => (line.includes(text) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
        );
        return {found: matches.length, matches: matches.slice(0, MAX_MATCHES)};
      },
    }),
  ] as FunctionTool<z.ZodObject>[];
}

function lines(path: string): string[] {
  return readFileSync(join(ROOT, path), 'utf8').split('\n');
}

function describeFile(path: string): {path: string; bytes: number} {
  return {path, bytes: statSync(join(ROOT, path)).size};
}
