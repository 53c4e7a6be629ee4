import { statSync } from 'node:fs';

/** Changes whenever a file does; `undefined` if there is none, empty if it cannot be looked at. */
export function versionOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.ino}:${found.mtimeNs}:${found.size}`;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? undefined : '';
  }
}
