import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './private-files.js';

/** In the guards' folder: that everything on this machine only watches (O-50), and since when. */
const WATCH_FILE = 'watching.json';

/**
 * Since when the guards, hooks and agents of this machine only watch, in milliseconds since 1970; `undefined` if they ask.
 * A file that cannot be read does not count: in doubt, people are asked.
 */
export function watchingSince(folder: string): number | undefined {
  try {
    const { since } = JSON.parse(readFileSync(join(folder, WATCH_FILE), 'utf8')) as {
      readonly since: unknown;
    };
    const time = typeof since === 'string' ? Date.parse(since) : Number.NaN;
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}

/** From now on everything on this machine only watches. The folder exists. */
export function startWatching(folder: string, now: number): void {
  const file = join(folder, WATCH_FILE);
  replaceFile(file, `${JSON.stringify({ since: new Date(now).toISOString() })}\n`);
}

/** From now on people are asked. */
export function stopWatching(folder: string): void {
  rmSync(join(folder, WATCH_FILE), { force: true });
}
