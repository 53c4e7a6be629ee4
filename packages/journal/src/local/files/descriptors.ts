import { close, closeSync, open, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { promisify } from 'node:util';

/**
 * How many descriptors are reserved. Starting the next segment needs three at a time: the new file,
 * its lock, and the folder to make its name durable. The others are for readers.
 */
const RESERVE = 5;

/** How long to wait for a descriptor that another read releases, in milliseconds, and how often. */
const PAUSE = 20;
const MAX_PAUSES = 500;

const calls = { open: promisify(open), close: promisify(close) };
const reserve: number[] = [];
let isHolding = false;
const listeners = new Set<(error: Error) => void>();

/** A file to open, with the arguments of `open(2)`. */
export interface ToOpen {
  readonly path: string;
  readonly flags: number;
}

/**
 * Reserves some descriptors, so that connections which use up all the others cannot stop the journal.
 * Best effort: a process that has none left gets its reserve as soon as one of ours is closed.
 */
export function holdDescriptors(): void {
  isHolding = true;
  try {
    while (reserve.length < RESERVE) reserve.push(openSync(devNull, 'r'));
  } catch {
    // As many as are available.
  }
}

/**
 * Calls back whenever the process has no descriptor left, even if the reserve has one. Returns an
 * unsubscribe function.
 */
export function onDescriptorsUsedUp(listener: (error: Error) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens a file, from the reserve if needed. Throws the system's error. */
export async function openDescriptor({ path, flags }: ToOpen): Promise<number> {
  try {
    return await calls.open(path, flags, 0o600);
  } catch (error) {
    if (!isUsedUp(error)) throw error;
    for (const listener of listeners) listener(error as Error);
    const held = reserve.pop();
    if (held === undefined) throw error;
    // Both synchronously: nothing else in this process can take the descriptor in between.
    closeSync(held);
    return openSync(path, flags, 0o600);
  }
}

/** Opens a file for a read, which can wait: waits until another one releases its descriptor. */
export async function openWithRetry(file: ToOpen): Promise<number> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await openDescriptor(file);
    } catch (error) {
      if (!isUsedUp(error) || pauses === MAX_PAUSES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Closes a file, and refills the reserve if needed. */
export async function closeDescriptor(descriptor: number): Promise<void> {
  if (!isHolding || reserve.length === RESERVE) return calls.close(descriptor);
  closeSync(descriptor);
  holdDescriptors();
}

function isUsedUp(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
