import { fstatSync, statSync } from 'node:fs';

/** The system's identifier of an open file, whatever its name. */
export function identityOf(descriptor: number): string {
  return identify(fstatSync(descriptor));
}

/**
 * Whether a path still refers to that file: it was not removed or replaced, and no parent folder was
 * moved.
 */
export function leadsTo(path: string, identity: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && identify(found) === identity;
}

// 64-bit numbers are rounded, consistently; exact ones cost more to request.
function identify({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}
