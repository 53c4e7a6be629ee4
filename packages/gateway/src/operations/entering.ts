import type { Result } from '@proffer/core';
import type { Standing } from '@proffer/core/operations';

/** Somebody who comes in. */
export interface Entering {
  readonly name: string;
  /** What it may do, as of now. */
  readonly rights: () => Result<Standing>;
}

/** What somebody may do now; nothing if its credential no longer counts. */
export function standingNow({ rights }: Entering): Standing | undefined {
  const current = rights();
  return current.ok ? current.value : undefined;
}
