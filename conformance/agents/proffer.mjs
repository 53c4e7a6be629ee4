import { fileURLToPath } from 'node:url';

/** The built program. */
export const PROFFER = fileURLToPath(new URL('../../packages/cli/bin/proffer.js', import.meta.url));
