import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The `name` in the nearest `package.json` above a file; `undefined` if there is none, or it cannot be read. */
export function packageOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const text = readIfThere(join(folder, 'package.json'));
    if (text !== undefined) return nameIn(text);
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

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { readonly name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
