import { replay } from '@proffer/core';
import { type JsonObject, sameJson } from '@proffer/core/json';
import {
  encodeSession,
  lookUpIn,
  MACP_VERSION,
  type MacpEnvelope,
  PROPOSAL_MODE,
  ProposalProjection,
  policyRegistry,
  type SessionRecord,
  sessionDecider,
} from '@proffer/core/negotiation';

const NOW = 1_700_000_000_000;
const VERSIONS = { mode_version: '1.0.0', configuration_version: 'cfg-1', policy_version: '' };

const MESSAGES: readonly (readonly [string, string, JsonObject])[] = [
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

/** Plays a session; returns its state, the refusals, and whether replay and projection agree. */
export function playNegotiation(): JsonObject {
  const { decide, evolve, initial } = sessionDecider;
  const policies = lookUpIn(policyRegistry.initial);
  const projection = new ProposalProjection();
  const records: SessionRecord[] = [];
  const refused: string[] = [];
  let state = initial;
  for (const [index, [sender, message_type, payload]] of MESSAGES.entries()) {
    const envelope: MacpEnvelope = {
      macp_version: MACP_VERSION,
      mode: PROPOSAL_MODE,
      message_type,
      message_id: `m${index}`,
      session_id: '0190b5d4-6c11-7c2a-9f00-3f5d0c1a2b3c',
      sender,
      timestamp_unix_ms: NOW,
      payload,
    };
    const caller = { name: sender, mayStartSessions: true };
    const decision = decide(state, { type: 'send', caller, envelope }, { now: NOW, policies });
    if (decision.refused !== undefined) refused.push(decision.refused.code);
    for (const record of decision.records ?? []) {
      records.push(record);
      state = evolve(state, record);
      projection.apply(envelope);
    }
  }
  const replayed = replay(sessionDecider, records);
  return {
    state: encodeSession(state),
    refused,
    replays: sameJson(encodeSession(state), encodeSession(replayed)),
    phase: projection.phase,
    accepted: projection.acceptedProposal(),
  };
}
