import { fileURLToPath } from 'node:url';

/** The folder with the built files of the console, for the gateway's option `console`. `npm run build` makes it. */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL('../dist/app/', import.meta.url));
