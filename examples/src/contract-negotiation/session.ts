import {
  type JsonObject,
  lookUpIn,
  MACP_VERSION,
  type MacpEnvelope,
  PROPOSAL_MODE,
  ProposalProjection,
  policyRegistry,
  type Refusal,
  type SessionRecord,
  type SessionState,
  sessionDecider,
} from '@proffer/core';

/** A negotiation without a runtime: the rules, a clock that stands still, and a list of records. */
export interface SmallSession {
  readonly records: readonly SessionRecord[];
  readonly state: SessionState;
  /** What any party that follows the session sees. */
  readonly projection: ProposalProjection;
  /** One party's message; the refusal, if it is not accepted. */
  send(sender: string, type: string, payload: JsonObject): Refusal | undefined;
}

const SESSION_ID = '0190b5d4-6c11-7c2a-9f00-3f5d0c1a2b3c';

/** Opens nothing yet: the first message has to be `SessionStart`. */
export function newSession(): SmallSession {
  const records: SessionRecord[] = [];
  const projection = new ProposalProjection();
  const policies = lookUpIn(policyRegistry.initial);
  const now = Date.UTC(2026, 0, 5, 9, 0, 0);
  let state = sessionDecider.initial;
  let sent = 0;
  return {
    records,
    projection,
    get state() {
      return state;
    },
    send(sender, message_type, payload) {
      const envelope: MacpEnvelope = {
        macp_version: MACP_VERSION,
        mode: PROPOSAL_MODE,
        message_type,
        message_id: `m${++sent}`,
        session_id: SESSION_ID,
        sender,
        timestamp_unix_ms: now,
        payload,
      };
      const principal = { name: sender, mayStartSessions: true };
      const decision = sessionDecider.decide(state, { type: 'send', principal, envelope }, { now, policies });
      for (const record of decision.records ?? []) {
        records.push(record);
        state = sessionDecider.evolve(state, record);
        projection.apply(envelope);
      }
      return decision.refused;
    },
  };
}
