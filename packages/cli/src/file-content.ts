import { readFileSync } from 'node:fs';
import { usageFailure } from './command-failure.js';

/** A text, or the contents of the file named after an `@`. */
export function contentOf(text: string, option: string): string | Buffer {
  if (!text.startsWith('@')) return text;
  const path = text.slice(1);
  try {
    return readFileSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageFailure(`${option}: ${path} cannot be read (${why}).`);
  }
}
