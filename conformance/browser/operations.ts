import * as core from '@proffer/core';

const NOW = 1_700_000_000_000;
const CALL = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/tmp/ä', n: 1e21 } } };

function surroundingsAt(now: number): core.Surroundings {
  return { now, isPresent: () => true };
}

/** From text to state: a proposal in one dialect, fulfilled and answered in another, one that expires. */
const SAID: readonly (readonly [string, core.JsonObject])[] = [
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

/** Plays the history, and gives the state, what was refused, and whether replay comes to the same. */
export function playOperations(): core.JsonObject {
  const initial = core.emptySpace(core.spaceSettings({ name: 'main' }));
  const refused: string[] = [];
  const records: core.OperationRecord[] = [];
  let space = initial;
  const apply = (decision: core.SpaceDecision): void => {
    if (decision.refused !== undefined) refused.push(decision.refused.code);
    for (const record of (decision.appends ?? []).flatMap((append) => append.records)) {
      records.push(record);
      space = core.evolveSpace(space, record);
    }
  };
  for (const [from, message] of SAID) {
    const reading = core.readMessage(JSON.stringify(message), { from, now: NOW });
    if (reading.ok) apply(core.decideInSpace(space, reading.value.envelope, surroundingsAt(NOW)));
  }
  apply(core.reviewInSpace(space, 'p2', surroundingsAt(NOW + 1000)));
  const replayed = core.replay({ initial, evolve: core.evolveSpace }, records);
  const state = core.viewSpace(space);
  return { state, refused, replays: core.sameJson(state, core.viewSpace(replayed)) };
}
