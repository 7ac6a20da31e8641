import {cpSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join, posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {packageRootUrl} from '../../src/package-root.ts';

const PAGE_CHARS = 2_500;

/** The package's source files, as the demo's tools see them. */
export class SourceTree {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Copies the package's source into `root`: an edit while the demo runs must not change its story. */
  static copyTo(root: string): SourceTree {
    cpSync(fileURLToPath(new URL('src', packageRootUrl())), join(root, 'src'), {recursive: true});
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
    return this.#text(path).split('\n');
  }

  /** Number of pages of 2,500 characters. */
  pageCount(path: string): number {
    return Math.ceil(this.#text(path).length / PAGE_CHARS);
  }

  /** Number of pages that are not cut short by the end of the file. */
  fullPageCount(path: string): number {
    return Math.floor(this.#text(path).length / PAGE_CHARS);
  }

  /** The text of one page; the first is 1. */
  page(path: string, page: number): string {
    return this.#text(path).slice((page - 1) * PAGE_CHARS, page * PAGE_CHARS);
  }

  #text(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8');
  }
}
