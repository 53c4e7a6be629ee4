import { fstatSync, statSync } from 'node:fs';

/** What the system knows an open file by, whatever its name. */
export function identityOf(descriptor: number): string {
  return identify(fstatSync(descriptor, { bigint: true }));
}

/** Whether a path leads to that file: it was not removed or replaced, and no folder above it moved. */
export function leadsTo(path: string, identity: string): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && identify(found) === identity;
}

// Whole numbers of 64 bits on Windows, which a double would round.
function identify({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
