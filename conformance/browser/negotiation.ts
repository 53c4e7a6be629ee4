import * as core from '@proffer/core';

const NOW = 1_700_000_000_000;
const VERSIONS = { mode_version: '1.0.0', configuration_version: 'cfg-1', policy_version: '' };

const SAID: readonly (readonly [string, string, core.JsonObject])[] = [
  ['ann', 'SessionStart', { ...VERSIONS, intent: 'price', participants: ['ann', 'bob'], ttl_ms: 60_000 }],
  ['bob', 'Proposal', { proposal_id: 'p1', title: '10 €' }],
  ['ann', 'CounterProposal', { proposal_id: 'p2', supersedes_proposal_id: 'p1', title: '8 €' }],
  ['eve', 'Accept', { proposal_id: 'p2' }],
  ['bob', 'Accept', { proposal_id: 'p2' }],
  [
    'ann',
    'Commitment',
    {
      ...VERSIONS,
      commitment_id: 'c1',
      action: 'sold',
      authority_scope: 'shop',
      reason: 'both agree',
      outcome_positive: true,
    },
  ],
];

/** Plays a session, and gives its state, what was refused, and whether replay and projection agree. */
export function playNegotiation(): core.JsonObject {
  const { decide, evolve, initial } = core.sessionDecider;
  const policies = core.lookUpIn(core.policyRegistry.initial);
  const projection = new core.ProposalProjection();
  const records: core.SessionRecord[] = [];
  const refused: string[] = [];
  let state = initial;
  for (const [index, [sender, message_type, payload]] of SAID.entries()) {
    const envelope: core.MacpEnvelope = {
      macp_version: core.MACP_VERSION,
      mode: core.PROPOSAL_MODE,
      message_type,
      message_id: `m${index}`,
      session_id: '0190b5d4-6c11-7c2a-9f00-3f5d0c1a2b3c',
      sender,
      timestamp_unix_ms: NOW,
      payload,
    };
    const principal = { name: sender, mayStartSessions: true };
    const decision = decide(state, { type: 'send', principal, envelope }, { now: NOW, policies });
    if (decision.refused !== undefined) refused.push(decision.refused.code);
    for (const record of decision.records ?? []) {
      records.push(record);
      state = evolve(state, record);
      projection.apply(envelope);
    }
  }
  const replayed = core.replay(core.sessionDecider, records);
  return {
    state: core.encodeSession(state),
    refused,
    replays: core.sameJson(core.encodeSession(state), core.encodeSession(replayed)),
    phase: projection.phase,
    accepted: projection.acceptedProposal(),
  };
}
