import {cpSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join, posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {PACKAGE_ROOT_URL} from '../../src/package-root.ts';

const PAGE_LINES = 100;

/** The package's source files, as the demo's tools see them. */
export class SourceTree {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Copies the package's source into `root`: an edit while the demo runs must not change its story. */
  static copyTo(root: string): SourceTree {
    cpSync(fileURLToPath(new URL('src', PACKAGE_ROOT_URL)), join(root, 'src'), {recursive: true});
    return new SourceTree(root);
  }

  /** Sorted paths such as `src/plan/elide.ts`. */
  files(folder = 'src'): string[] {
    return readdirSync(join(this.#root, folder), {recursive: true, encoding: 'utf8'})
      .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
      .filter((path) => path.endsWith('.ts'))
      .sort();
  }

  bytes(path: string): number {
    return statSync(join(this.#root, path)).size;
  }

  lines(path: string): string[] {
    return readFileSync(join(this.#root, path), 'utf8').split('\n');
  }

  /** Number of pages of 100 lines. */
  pageCount(path: string): number {
    return Math.ceil(this.lines(path).length / PAGE_LINES);
  }

  /** The text of one page; the first is 1. */
  page(path: string, page: number): string {
    return this.lines(path)
      .slice((page - 1) * PAGE_LINES, page * PAGE_LINES)
      .join('\n');
  }
}
