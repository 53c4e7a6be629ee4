import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What all names of a file or folder have in common. */
export interface FileIdentity {
  readonly id: string;
  /** Whether it has hard links. */
  readonly hasOtherNames: boolean;
}

/** What the file system says about paths. */
export interface PathLookup {
  /** The symbolic link at a path; `none` for something else, `missing` for nothing, `hidden` if it cannot be seen. */
  readonly linkAt: (path: string) => { readonly to: string } | 'none' | 'missing' | 'hidden';
  /** The file or folder that a path leads to; `undefined` if it does not exist. */
  readonly identityOf: (path: string) => FileIdentity | undefined;
  /** The ids of all files in a folder and in those below it; `unclear` if they are too many, or cannot be read. */
  readonly idsIn: (folder: string) => ReadonlySet<string> | 'unclear';
}

/** How many files of one folder are compared. */
const MAX_FILES = 10_000;

/** The file system of this machine. Looks at each path once, so one is opened for each decision. */
export function openDisk(): PathLookup {
  return { linkAt: remembered(linkAt), identityOf: remembered(identityOf), idsIn: remembered(idsIn) };
}

function remembered<Value>(look: (path: string) => Value): (path: string) => Value {
  const seen = new Map<string, Value>();
  return (path) => {
    if (seen.has(path)) return seen.get(path) as Value;
    const value = look(path);
    seen.set(path, value);
    return value;
  };
}

const linkAt: PathLookup['linkAt'] = (path) => {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    return found.isSymbolicLink() ? { to: readlinkSync(path) } : 'none';
  } catch (error) {
    // Below a file there is nothing; a name that is too long cannot be opened either.
    return isCode(error, 'ENOTDIR', 'ENAMETOOLONG') ? 'missing' : 'hidden';
  }
};

const identityOf: PathLookup['identityOf'] = (path) => {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return { id: `${found.dev}:${found.ino}`, hasOtherNames: found.isFile() && found.nlink > 1n };
  } catch {
    return undefined;
  }
};

const idsIn: PathLookup['idsIn'] = (folder) => {
  const ids = new Set<string>();
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    try {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        const path = join(next, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else ids.add(identityOf(path)?.id ?? '');
      }
    } catch (error) {
      if (!isCode(error, 'ENOENT', 'ENOTDIR')) return 'unclear';
    }
    if (ids.size + folders.length > MAX_FILES) return 'unclear';
  }
  return ids;
};

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
