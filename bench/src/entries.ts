import { fileURLToPath } from 'node:url';

/** Entry points that run as separate processes. They are next to this file in every build. */
export const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
export const COMPANION_MAIN = fileURLToPath(new URL('companion-main.js', import.meta.url));
