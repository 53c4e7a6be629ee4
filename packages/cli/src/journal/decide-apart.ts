import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { DecidedAgain } from '@proffer/evidence';
import { folderOf, type JournalPlace } from '@proffer/journal';
import type { Screen } from '../terminal/shell.js';
import { progressBar } from './progress-bar.js';

/** What a thread is told to decide again. */
export interface DecidingTask {
  readonly folder: string;
}

/** What it tells: how far it is, first of all when it begins to read; and in the end what it found. */
export type DecidingMessage =
  | { readonly reached: number; readonly total: number }
  | { readonly decided: DecidedAgain };

/** A journal that another thread decides again. */
export interface DecidedApart extends AsyncDisposable {
  /** Whether the thread has the journal open. Not if a gateway has it, or if it cannot be read. */
  readonly isReading: Promise<boolean>;
  /** What it found; `undefined` if it failed, so that whoever asks has to decide, and finds out why. */
  readonly decided: Promise<DecidedAgain | undefined>;
}

/** The program of the thread is beside the built command; the sources have none. */
const PROGRAM = fileURLToPath(new URL('deciding-thread.js', import.meta.url));

/** A journal of fewer bytes (some 20,000 records) is decided again about as soon as a thread has started. */
const LEAST_BYTES = availableParallelism() > 1 ? 16 * 1024 * 1024 : Number.POSITIVE_INFINITY;

/**
 * Begins to decide the journal in a folder again, in another thread; `undefined` if that would not save time.
 *
 * @param screen - where to show how far it is, if that is a terminal
 */
export async function decideApart(
  place: JournalPlace,
  screen: Screen,
  { program = PROGRAM, leastBytes = LEAST_BYTES } = {},
): Promise<DecidedApart | undefined> {
  const folder = folderOf(place);
  if (folder === undefined || !existsSync(program)) return undefined;
  if ((await bytesIn(folder)) < leastBytes) return undefined;
  const task: DecidingTask = { folder };
  const thread = new Worker(program, { workerData: task });
  const bar = progressBar(screen);
  let begin: (isReading: boolean) => void;
  const isReading = new Promise<boolean>((resolve) => (begin = resolve));
  const decided = new Promise<DecidedAgain | undefined>((resolve) => {
    thread.on('message', (message: DecidingMessage) => {
      if ('decided' in message) return resolve(message.decided);
      bar.reach(message.reached, message.total);
      begin(true);
    });
    // An error without a listener would end this process.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      bar.clear();
      begin(false);
      resolve(undefined);
    });
  });
  return {
    isReading,
    decided,
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}

/** How large a folder is; 0 if that cannot be known. */
async function bytesIn(folder: string): Promise<number> {
  try {
    const files = await readdir(folder);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
  }
}
