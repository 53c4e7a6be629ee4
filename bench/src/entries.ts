import { fileURLToPath } from 'node:url';

/** The files that are run as processes. They lie beside this one, wherever it is built to. */
export const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
export const COMPANION_MAIN = fileURLToPath(new URL('companion-main.js', import.meta.url));
