import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package: its name, and its version if it has one. */
export interface Package {
  readonly name: string;
  readonly version?: string;
}

/** What the nearest `package.json` above a file says; `undefined` if there is none, or it cannot be read. */
export function packageOf(file: string): Package | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const text = readIfThere(join(folder, 'package.json'));
    if (text !== undefined) return packageIn(text);
    if (dirname(folder) === folder) return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function packageIn(text: string): Package | undefined {
  try {
    const { name, version } = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    if (typeof name !== 'string' || name === '') return undefined;
    return { name, ...(typeof version === 'string' ? { version } : {}) };
  } catch {
    return undefined;
  }
}
