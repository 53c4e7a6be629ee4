import { readMessage, replay } from '@proffer/core';
import { type JsonObject, sameJson } from '@proffer/core/json';
import {
  type DecisionContext,
  decideInSpace,
  emptySpace,
  evolveSpace,
  type OperationRecord,
  reviewInSpace,
  type SpaceDecision,
  spaceSettings,
  viewSpace,
} from '@proffer/core/operations';

const NOW = 1_700_000_000_000;
const CALL = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/tmp/ä', n: 1e21 } } };

function surroundingsAt(now: number): DecisionContext {
  return { now, isPresent: () => true };
}

/** From text to state: a proposal in one dialect, fulfilled and answered in another, and one that expires. */
const MESSAGES: readonly (readonly [string, JsonObject])[] = [
  ['agent', { id: 'p1', kind: 'mcp/proposal:tools/call', payload: CALL }],
  ['agent', { protocol: 'mew/v0.4', id: 'p2', kind: 'mcp/proposal', payload: { ...CALL, ttl: 1000 } }],
  ['reviewer', { id: 'r1', kind: 'mcpx.reject.proposal', correlationId: 'p2', payload: { reason: 'busy' } }],
  [
    'reviewer',
    { id: 'f1', kind: 'mcp.request.tools/call', to: ['tools'], correlationId: 'p1', payload: CALL },
  ],
  [
    'mallory',
    { id: 'f2', kind: 'mcp.request.tools/call', to: ['tools'], correlationId: 'p1', payload: CALL },
  ],
  [
    'tools',
    { protocol: 'mew/v0.4', id: 'a1', kind: 'mcp/response', correlation_id: ['f1'], payload: { result: {} } },
  ],
];

/** Plays the history; returns the state, the refusals, and whether replay gives the same state. */
export function playOperations(): JsonObject {
  const initial = emptySpace(spaceSettings({ name: 'main' }));
  const refused: string[] = [];
  const records: OperationRecord[] = [];
  let space = initial;
  const apply = (decision: SpaceDecision): void => {
    if (decision.refused !== undefined) refused.push(decision.refused.code);
    for (const record of (decision.appends ?? []).flatMap((append) => append.records)) {
      records.push(record);
      space = evolveSpace(space, record);
    }
  };
  for (const [from, message] of MESSAGES) {
    const reading = readMessage(JSON.stringify(message), { from, now: NOW });
    if (reading.ok) apply(decideInSpace(space, reading.value.envelope, surroundingsAt(NOW)));
  }
  apply(reviewInSpace(space, 'p2', surroundingsAt(NOW + 1000)));
  const replayed = replay({ initial, evolve: evolveSpace }, records);
  const state = viewSpace(space);
  return { state, refused, replays: sameJson(state, viewSpace(replayed)) };
}
