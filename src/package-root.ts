import {existsSync, readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

/** URL of this module. In a CommonJS bundle there is no `import.meta.url`, but a file name. */
export function moduleUrl(): string | URL {
  return import.meta.url ?? pathToFileURL(__filename);
}

/**
 * URL of the package's root folder, right from `src/`, from the built files and from a program bundled inside the package.
 * Elsewhere a bundle has no such folder; then the one above the bundle's.
 */
export function packageRootUrl(): URL {
  return findPackageRoot(new URL('.', moduleUrl())) ?? new URL('..', moduleUrl());
}

function findPackageRoot(folder: URL): URL | undefined {
  const manifest = new URL('package.json', folder);
  if (existsSync(manifest)) {
    const {name} = JSON.parse(readFileSync(manifest, 'utf8')) as {name?: string};
    if (name === 'adk-compaction') {
      return folder;
    }
  }
  const parent = new URL('..', folder);
  return parent.href === folder.href ? undefined : findPackageRoot(parent);
}
