import type { Result } from '@proffer/core';
import type { Standing } from '@proffer/core/operations';

/** A participant that connects. */
export interface Entering {
  readonly name: string;
  /** Its current rights. */
  readonly rights: () => Result<Standing>;
}

/** A participant's current rights; `undefined` if its credential is no longer valid. */
export function standingNow({ rights }: Entering): Standing | undefined {
  const current = rights();
  return current.ok ? current.value : undefined;
}
