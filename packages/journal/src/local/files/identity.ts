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

/** How long a check stays valid, in milliseconds. */
const SEEN = 10;

/**
 * The same for checks with every write: it checks only every few milliseconds, since a check costs a
 * good part of a write. No one else can have started to use a new file of that name in so short a
 * time, and what is written until then shares the fate of everything before.
 */
export function watchPlace(path: string, identity: string): () => boolean {
  let seen = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - seen < SEEN) return true;
    if (!leadsTo(path, identity)) return false;
    seen = now;
    return true;
  };
}

// 64-bit numbers are rounded, consistently; exact ones cost more to request.
function identify({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}
