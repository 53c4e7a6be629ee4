import { randomUUID } from 'node:crypto';
import type { CallOptions, CallStatus, GrpcPeer, Read } from './grpc-peer.js';

const PAYLOADS: Readonly<Record<string, string>> = {
  SessionStart: 'macp.v1.SessionStartPayload',
  Commitment: 'macp.v1.CommitmentPayload',
  SessionCancel: 'macp.v1.SessionCancelPayload',
  Signal: 'macp.v1.SignalPayload',
  Progress: 'macp.v1.ProgressPayload',
  Proposal: 'macp.modes.proposal.v1.ProposalPayload',
  CounterProposal: 'macp.modes.proposal.v1.CounterProposalPayload',
  Accept: 'macp.modes.proposal.v1.AcceptPayload',
  Reject: 'macp.modes.proposal.v1.RejectPayload',
  Withdraw: 'macp.modes.proposal.v1.WithdrawPayload',
};

/** The start of a session of buyer and seller, with a coordinator. */
export const START = {
  intent: 'negotiate terms',
  participants: ['coordinator', 'buyer', 'seller'],
  mode_version: '1.0.0',
  configuration_version: 'config.1',
  policy_version: '',
  ttl_ms: 120_000,
};

/** The outcome that fits {@link START}. */
export const COMMITMENT = {
  commitment_id: 'c1',
  action: 'contract.agreed',
  authority_scope: 'procurement',
  reason: 'agreed',
  mode_version: '1.0.0',
  policy_version: '',
  configuration_version: 'config.1',
  outcome_positive: true,
};

/** One session, and its messages. Tokens equal the senders' names. */
export interface Table {
  readonly id: string;
  envelope(sender: string, type: string, payload: object, more?: object): object;
  /** The Ack. */
  say(
    sender: string,
    type: string,
    payload: object,
    options?: CallOptions & { more?: object },
  ): Promise<Read>;
  start(more?: object): Promise<Read>;
  propose(sender: string, id: string): Promise<Read>;
  accept(sender: string, id: string): Promise<Read>;
  commit(sender: string, more?: object): Promise<Read>;
  /** The result of `GetSession`. */
  metadata(token: string): Promise<Read>;
  unreadable(token: string): Promise<CallStatus>;
}

export function openTable(
  peer: GrpcPeer,
  id: string = randomUUID(),
  tokenOf = (name: string) => name,
): Table {
  const envelope = (sender: string, type: string, payload: object, more: object = {}): object => ({
    macp_version: '1.0',
    mode: 'macp.mode.proposal.v1',
    message_type: type,
    message_id: randomUUID(),
    session_id: id,
    sender,
    timestamp_unix_ms: Date.now(),
    payload: payload instanceof Uint8Array ? payload : { type: PAYLOADS[type], ...payload },
    ...more,
  });
  const table: Table = {
    id,
    envelope,
    async say(sender, type, payload, { more, ...options } = {}) {
      const request = { envelope: envelope(sender, type, payload, more) };
      return (await peer.ask('Send', request, { token: tokenOf(sender), ...options }))['ack'] as Read;
    },
    start: (more) => table.say('coordinator', 'SessionStart', { ...START, ...more }),
    propose: (sender, proposal_id) => table.say(sender, 'Proposal', { proposal_id, title: proposal_id }),
    accept: (sender, proposal_id) => table.say(sender, 'Accept', { proposal_id }),
    commit: (sender, more) => table.say(sender, 'Commitment', { ...COMMITMENT, ...more }),
    async metadata(token) {
      const { metadata } = await peer.ask('GetSession', { session_id: id }, { token: tokenOf(token) });
      return metadata as Read;
    },
    unreadable: (token) => peer.refused('GetSession', { session_id: id }, { token: tokenOf(token) }),
  };
  return table;
}

/** A table with an open session. */
export async function startTable(peer: GrpcPeer): Promise<Table> {
  const table = openTable(peer);
  await table.start();
  return table;
}
