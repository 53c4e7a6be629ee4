import type { Result } from '@proffer/core';
import type { Standing } from '@proffer/core/operations';

/** Someone who comes in. */
export interface Entering {
  readonly name: string;
  /** What it may do, at the moment. */
  readonly rights: () => Result<Standing>;
}

/** What a participant may do now; `undefined` if its credential no longer counts. */
export function standingNow({ rights }: Entering): Standing | undefined {
  const current = rights();
  return current.ok ? current.value : undefined;
}
