import { readFileSync } from 'node:fs';

/** The folder of this package, as a URL. Bundled modules are in `dist`, which is as deep as `src`. */
export const PACKAGE_FOLDER: URL = new URL('..', import.meta.url);

/** The version of this package. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as { readonly version: string }
).version;
