import { type JsonObject } from '@proffer/core/json';
import {
  lookUpIn,
  MACP_VERSION,
  PROPOSAL_MODE,
  PROPOSAL_MODE_VERSION,
  policyRegistry,
  type SendCommand,
  type SessionContext,
  type SessionRecord,
  type SessionState,
  sessionDecider,
} from '@proffer/core/negotiation';
import { fromWire } from './from-wire.js';

/** A session and its history. */
export interface Table {
  state: SessionState;
  readonly id: string;
  readonly participants: readonly string[];
  /** Messages so far. */
  step: number;
  /** The current offer. */
  offer: string;
}

export const CONTEXT: SessionContext = {
  now: 1_700_000_000_000,
  policies: lookUpIn(policyRegistry.initial),
};

/** Names for a number of participants. */
export function participantNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `participant-${index}`);
}

/** A session that has not started yet. */
export function createTable(number: number, participants: readonly string[]): Table {
  const id = `session-${String(number).padStart(20, '0')}`;
  return { state: sessionDecider.initial, id, participants, step: 0, offer: '' };
}

/** Decides a command, folds the records and returns them. */
export function send(table: Table, command: SendCommand): readonly SessionRecord[] {
  const { records, refused } = sessionDecider.decide(table.state, command, CONTEXT);
  if (records === undefined) throw new Error(`not accepted: ${JSON.stringify(refused)}`);
  for (const record of records) table.state = sessionDecider.evolve(table.state, record);
  return records;
}

/**
 * The next message of an endless session: start, then offer, reject, accept, accept, counter-offer, with the
 * participants taking turns.
 */
export function nextMessage(table: Table): SendCommand {
  const { participants, step } = table;
  table.step++;
  const sender = participants[step % participants.length] ?? '';
  if (step === 0) return message(table, sender, 'SessionStart', startOf(participants));
  const before = table.offer;
  switch (step % 4) {
    case 1: {
      table.offer = `offer-${step}`;
      const offer = { proposal_id: table.offer, title: 'Delivery in May', summary: '1,000 at 9.50 each' };
      if (before === '') return message(table, sender, 'Proposal', offer);
      return message(table, sender, 'CounterProposal', { ...offer, supersedes_proposal_id: before });
    }
    case 2:
      return message(table, sender, 'Reject', { proposal_id: before, reason: 'Too late in the year.' });
    default:
      return message(table, sender, 'Accept', { proposal_id: before, reason: 'Fits the plan.' });
  }
}

/** A Commitment from the initiator. */
export function commit(table: Table): SendCommand {
  table.step++;
  return message(table, table.participants[0] ?? '', 'Commitment', {
    commitment_id: 'commitment',
    action: 'contract.agreed',
    authority_scope: 'procurement',
    reason: 'All agreed.',
    mode_version: PROPOSAL_MODE_VERSION,
    configuration_version: 'configuration-1',
    policy_version: '',
    outcome_positive: true,
  });
}

/** An acceptance of the current offer. */
export function accept(table: Table, sender: string): SendCommand {
  table.step++;
  return message(table, sender, 'Accept', { proposal_id: table.offer, reason: 'Fits the plan.' });
}

function startOf(participants: readonly string[]): JsonObject {
  return {
    intent: 'Agree on a delivery.',
    participants,
    mode_version: PROPOSAL_MODE_VERSION,
    configuration_version: 'configuration-1',
    policy_version: '',
    ttl_ms: 86_400_000,
  };
}

function message(table: Table, sender: string, message_type: string, payload: JsonObject): SendCommand {
  return fromWire({
    type: 'send',
    caller: { name: sender, mayStartSessions: true },
    envelope: {
      macp_version: MACP_VERSION,
      mode: PROPOSAL_MODE,
      message_type,
      message_id: `message-${table.step}`,
      session_id: table.id,
      sender,
      timestamp_unix_ms: CONTEXT.now,
      payload,
    },
  });
}
