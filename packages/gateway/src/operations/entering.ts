import type { Result } from '@proffer/core';
import type { ParticipantRights } from '@proffer/core/operations';

/** A participant that connects. */
export interface Entering {
  readonly name: string;
  /** The caller's current rights. */
  readonly rights: () => Result<ParticipantRights>;
}

/** A participant's current rights; `undefined` if its credential is no longer valid. */
export function standingNow({ rights }: Entering): ParticipantRights | undefined {
  const current = rights();
  return current.ok ? current.value : undefined;
}
