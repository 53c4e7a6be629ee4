import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@proffer/core/json';
import { type Answer, ask } from './peers/http.js';

/** The answer to a message: an Ack in its JSON form. */
export interface AckAnswer extends Answer {
  readonly ok: boolean;
  readonly duplicate: boolean;
  readonly state: string;
  readonly sequence: number | undefined;
}

/** A session for tests, over HTTP in JSON. */
export interface MacpTable {
  readonly id: string;
  /** Sends a message; `change` replaces fields of the envelope, `token` is the sender's name by default. */
  send(
    sender: string,
    type: string,
    payload: JsonObject,
    change?: JsonObject,
    token?: string,
  ): Promise<AckAnswer>;
  start(initiator: string, change?: JsonObject, token?: string): Promise<AckAnswer>;
  propose(sender: string, proposal: string): Promise<AckAnswer>;
  accept(sender: string, proposal: string): Promise<AckAnswer>;
  commit(sender: string, change?: JsonObject): Promise<AckAnswer>;
  control(who: string, action: 'cancel' | 'suspend' | 'resume'): Promise<AckAnswer>;
  show(who: string): Promise<Answer>;
  state(who: string): Promise<unknown>;
  /** The accepted envelopes after a sequence number. */
  envelopes(who: string, after?: number): Promise<readonly JsonObject[]>;
}

export const startPayload = (change: JsonObject = {}): JsonObject => ({
  intent: 'agree on terms',
  participants: ['buyer', 'seller'],
  mode_version: '1.0.0',
  configuration_version: 'cfg-1',
  policy_version: '',
  ttl_ms: 60_000,
  ...change,
});

export const commitPayload = (change: JsonObject = {}): JsonObject => ({
  commitment_id: 'c1',
  action: 'contract.agreed',
  authority_scope: 'procurement',
  reason: 'all agreed',
  mode_version: '1.0.0',
  configuration_version: 'cfg-1',
  policy_version: '',
  outcome_positive: true,
  ...change,
});

/** An envelope in its JSON form, with a new message id; in Proposal Mode unless another is named. */
export function macpEnvelope(
  session: string,
  sender: string,
  type: string,
  payload: JsonObject,
  mode = 'macp.mode.proposal.v1',
): JsonObject & { readonly message_id: string } {
  return {
    macp_version: '1.0',
    mode,
    message_type: type,
    message_id: randomUUID(),
    session_id: session,
    sender,
    timestamp: '2026-01-02T03:04:05.678Z',
    payload,
  };
}

/** Posts one envelope unchanged. */
export async function postEnvelope(
  http: string,
  token: string | undefined,
  body: string,
  init: RequestInit = {},
): Promise<AckAnswer> {
  return ackOf(await ask(`${http}/macp/envelope`, token, { ...init, method: 'POST', body }));
}

function ackOf(answer: Answer): AckAnswer {
  const { ok, duplicate, session_state, sequence } = answer.body;
  return {
    ...answer,
    ok: ok === true,
    duplicate: duplicate === true,
    state: withoutPrefix(session_state),
    sequence: typeof sequence === 'number' ? sequence : undefined,
  };
}

const withoutPrefix = (state: unknown): string =>
  typeof state === 'string' ? state.replace('SESSION_STATE_', '') : '';

/** A session with a given id, on a gateway. */
export function openTable(http: string, id: string = randomUUID()): MacpTable {
  const send: MacpTable['send'] = (sender, type, payload, change = {}, token = sender) =>
    postEnvelope(http, token, JSON.stringify({ ...macpEnvelope(id, sender, type, payload), ...change }));
  const show = (who: string) => ask(`${http}/macp/session/${id}`, who);
  return {
    id,
    send,
    show,
    start: (initiator, change, token = initiator) =>
      send(initiator, 'SessionStart', startPayload(change), {}, token),
    propose: (sender, proposal_id) =>
      send(sender, 'Proposal', { proposal_id, title: `Offer ${proposal_id}` }),
    accept: (sender, proposal_id) => send(sender, 'Accept', { proposal_id }),
    commit: (sender, change) => send(sender, 'Commitment', commitPayload(change)),
    control: async (who, action) => {
      const init = { method: 'POST', body: JSON.stringify({ reason: 'because' }) };
      return ackOf(await ask(`${http}/macp/session/${id}/${action}`, who, init));
    },
    async state(who) {
      const { body } = await show(who);
      const metadata = body['metadata'] as JsonObject | undefined;
      return withoutPrefix(metadata?.['state']);
    },
    async envelopes(who, after = 0) {
      const { body } = await ask(`${http}/macp/session/${id}/envelopes?after=${after}`, who);
      return body['envelopes'] as readonly JsonObject[];
    },
  };
}
