import { fileURLToPath } from 'node:url';

/** The program, as it was built. */
export const PROFFER = fileURLToPath(new URL('../../packages/cli/bin/proffer.js', import.meta.url));
