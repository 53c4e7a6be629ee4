import { type ModeDescriptor, type PolicyDescriptor, writeMacpJson } from '@proffer/core';
import { httpBase } from '../../connection/address.js';
import { acknowledged } from '../acknowledgement.js';
import type { AcceptedEnvelope, MacpTransport, SessionEvent } from '../transport.js';
import {
  acceptedFrom,
  ackFrom,
  envelopeFrom,
  objectsIn,
  runtimeFrom,
  sessionEventFrom,
  sessionFrom,
} from './read-json.js';
import { createRequests } from './requests.js';

export interface HttpTransportOptions {
  /** The gateway: `http:` or `https:`, such as `http://127.0.0.1:7420`. */
  readonly url: string;
}

/** The way to a gateway over HTTP, with `fetch`: for browsers, and wherever gRPC does not get through. */
export function httpTransport({ url }: HttpTransportOptions): MacpTransport {
  const { ask, follow } = createRequests(httpBase(url));
  return {
    initialize: async (attempt) => runtimeFrom(await ask('/.well-known/macp.json', attempt)),
    async send(envelope, attempt) {
      const body = writeMacpJson(envelope);
      return acknowledged(ackFrom(await ask('/macp/envelope', attempt, { method: 'POST', body })));
    },
    getSession: async (id, attempt) => sessionFrom((await ask(session(id), attempt))['metadata']),
    async controlSession(action, { sessionId, reason }, attempt) {
      const request = { method: 'POST', body: { reason } } as const;
      return acknowledged(ackFrom(await ask(`${session(sessionId)}/${action}`, attempt, request)));
    },
    async listSessions(attempt) {
      return objectsIn(await ask('/macp/sessions', attempt), 'sessions').map(sessionFrom);
    },
    async listModes(attempt) {
      return objectsIn(await ask('/macp/modes', attempt), 'modes') as readonly ModeDescriptor[];
    },
    async registerPolicy(body, attempt) {
      await ask('/macp/policies', attempt, { method: 'POST', body });
    },
    async unregisterPolicy(id, attempt) {
      await ask(policy(id), attempt, { method: 'DELETE' });
    },
    getPolicy: async (id, attempt) =>
      (await ask(policy(id), attempt))['policy_descriptor'] as PolicyDescriptor,
    async listPolicies(mode, attempt) {
      const query = mode === '' ? '' : `?mode=${encodeURIComponent(mode)}`;
      const answer = await ask(`/macp/policies${query}`, attempt);
      return objectsIn(answer, 'descriptors') as readonly PolicyDescriptor[];
    },
    async *subscribe(id, after, attempt): AsyncGenerator<AcceptedEnvelope, undefined> {
      for await (const data of follow(`${session(id)}/envelopes?after=${after}`, attempt)) {
        yield acceptedFrom(data);
      }
    },
    async *watchSessions(attempt): AsyncGenerator<SessionEvent, undefined> {
      for await (const data of follow('/macp/sessions', attempt)) {
        yield sessionEventFrom(data);
      }
    },
    async *watchPolicies(attempt): AsyncGenerator<readonly PolicyDescriptor[], undefined> {
      for await (const data of follow('/macp/policies', attempt)) {
        yield objectsIn(data, 'descriptors') as readonly PolicyDescriptor[];
      }
    },
    async *watchSignals(attempt) {
      for await (const { envelope } of follow('/macp/signals', attempt)) yield envelopeFrom(envelope);
    },
    close: () => Promise.resolve(),
  };
}

function session(id: string): string {
  return `/macp/session/${encodeURIComponent(id)}`;
}

function policy(id: string): string {
  return `/macp/policies/${encodeURIComponent(id)}`;
}
