/** URL of the package's root folder, right from `src/` and from the built files alike. */
export const PACKAGE_ROOT_URL: URL = new URL('..', import.meta.url);
