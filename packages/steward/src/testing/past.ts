import type { JsonObject } from '@proffer/core/json';
import type { PastDecision, PastProposal } from '../history/index.js';
import { callOf } from './rules.js';

let made = 0;

/** A past proposal; decided by a person unless stated otherwise. */
export function past(
  decision: PastDecision['decision'] | undefined,
  given: JsonObject,
  {
    tool = 'write_file',
    participant = 'agent',
    ...about
  }: Partial<PastDecision> & {
    readonly tool?: string;
    readonly participant?: string;
  } = {},
): PastProposal {
  const decided = { by: 'ann', at: Date.UTC(2026, 10, 1), automatic: false, ...about };
  return {
    id: `p${++made}`,
    call: callOf({ tool, participant, arguments: given }),
    ...(decision === undefined ? {} : { decided: { ...decided, decision } }),
  };
}
