import {existsSync, readFileSync} from 'node:fs';

/** URL of the package's root folder, right from `src/`, from the built files and from a program bundled inside the package. */
export const PACKAGE_ROOT_URL: URL = findPackageRoot(new URL('.', import.meta.url)) ?? new URL('..', import.meta.url);

function findPackageRoot(folder: URL): URL | undefined {
  const manifest = new URL('package.json', folder);
  if (existsSync(manifest)) {
    const {name} = JSON.parse(readFileSync(manifest, 'utf8')) as {name?: string};
    if (name === 'adk-compaction') return folder;
  }
  const parent = new URL('..', folder);
  return parent.href === folder.href ? undefined : findPackageRoot(parent);
}
