import {FunctionTool} from '@google/adk';
import {z} from 'zod';
import type {SourceTree} from './source-tree.ts';

const MAX_MATCHES = 20;

/**
 * The three tools of the demo's agent. They read the package's source and nothing else.
 *
 * @param before runs inside each tool before its work, with the tool's name.
 */
export function sourceTools(source: SourceTree, before: (name: string) => Promise<void>): FunctionTool<z.ZodObject>[] {
  return [
    new FunctionTool({
      name: 'list',
      description: 'Lists the source files of a folder with their sizes in bytes.',
      parameters: z.object({folder: z.string().describe('Such as src/plan.')}),
      execute: async ({folder}) => {
        await before('list');
        const files = source.files().filter((path) => path.startsWith(`${folder}/`));
        return {files: files.map((path) => ({path, bytes: source.bytes(path)}))};
      },
    }),
    new FunctionTool({
      name: 'read',
      description: 'Reads one page of a source file.',
      parameters: z.object({path: z.string(), page: z.number().describe('The first page is 1.')}),
      execute: async ({path, page}) => {
        await before('read');
        if (!source.files().includes(path)) {
          return {error: `${path} is not a source file.`};
        }
        return {path, page, pages: source.pageCount(path), text: source.page(path, page)};
      },
    }),
    new FunctionTool({
      name: 'search',
      description: `Finds a text in the source files; gives at most ${MAX_MATCHES} lines.`,
      parameters: z.object({text: z.string()}),
      execute: async ({text}) => {
        await before('search');
        const matches = source
          .files()
          .flatMap((path) =>
            source
              .lines(path)
              .flatMap((line, index) => (line.includes(text) ? `${path}:${index + 1}: ${line.trim()}` : [])),
          );
        return {found: matches.length, matches: matches.slice(0, MAX_MATCHES)};
      },
    }),
  ] as FunctionTool<z.ZodObject>[];
}
