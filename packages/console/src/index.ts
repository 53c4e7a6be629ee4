import { fileURLToPath } from 'node:url';

/**
 * The folder with the console's built files, for the gateway's `console` option. Created by `npm run build`.
 */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL('../dist/app/', import.meta.url));
