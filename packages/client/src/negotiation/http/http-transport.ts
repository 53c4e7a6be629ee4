import { type ModeDescriptor, type PolicyDescriptor, writeMacpJson } from '@proffer/core/negotiation';
import { createAddresses, httpBase } from '../../connection/addresses.js';
import type { Fetch } from '../../connection/fetch.js';
import type { OpenSocket } from '../../connection/socket.js';
import { acknowledged } from '../acknowledgement.js';
import { createFailoverTransport } from '../failover-transport.js';
import { MacpError } from '../macp-error.js';
import type { RuntimeManifest } from '../runtime-description.js';
import type { AcceptedEnvelope, MacpTransport, SessionEvent } from '../transport.js';
import {
  acceptedFrom,
  ackFrom,
  envelopeFrom,
  listIn,
  runtimeFrom,
  sessionEventFrom,
  sessionFrom,
} from './read-json.js';
import { createRequests } from './requests.js';
import { SessionSockets } from './session-sockets.js';

/** Calls without a route over HTTP. */
type Unsupported = Pick<
  MacpTransport,
  'registerExtMode' | 'unregisterExtMode' | 'promoteMode' | 'watchModeRegistry' | 'watchRoots'
>;

const refuse = (call: string): MacpError =>
  new MacpError('UNSUPPORTED', `${call} is not served over HTTP; use grpcTransport.`);

/** Each fails at once with `UNSUPPORTED`. */
const unsupported: Unsupported = {
  registerExtMode: () => fail(refuse('RegisterExtMode')),
  unregisterExtMode: () => fail(refuse('UnregisterExtMode')),
  promoteMode: () => fail(refuse('PromoteMode')),
  watchModeRegistry: () => failing(refuse('WatchModeRegistry')),
  watchRoots: () => failing(refuse('WatchRoots')),
};

function failing(error: MacpError): AsyncIterable<never> {
  const next = (): Promise<never> => fail(error);
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

function fail(error: MacpError): Promise<never> {
  return Promise.reject(error);
}

export interface HttpTransportOptions {
  /**
   * The gateway: `http:` or `https:`, such as `http://127.0.0.1:7420`. Several, as a list or separated
   * by commas, for gateways on one journal: if one is gone, the next one is tried at once.
   */
  readonly url: string | readonly string[];
  /**
   * How messages are sent and sessions followed: over one WebSocket, closed when idle, or with one
   * request each and server-sent events. Default `websocket` in browsers, `events` on Node.
   */
  readonly live?: 'websocket' | 'events';
}

/**
 * Longer envelopes, in characters, are sent in a separate request: they delay no others, and any
 * refusal is about them.
 */
const LONGEST = 16_384;

/**
 * The transport to gateways over HTTP, with `fetch`: for browsers, and wherever gRPC does not get
 * through.
 */
export function createHttpTransport(
  { url, live }: HttpTransportOptions,
  openSocket: OpenSocket,
  request: Fetch = fetch,
): MacpTransport {
  const addresses = createAddresses(url);
  // A malformed address is better reported now than with the first call.
  const bases = new Map(addresses.all.map((address) => [address, httpBase(address)]));
  return createFailoverTransport(addresses, (address) =>
    openHttpTransport({ base: bases.get(address) ?? address, live }, openSocket, request),
  );
}

/** The transport to one of them. */
function openHttpTransport(
  { base, live }: { readonly base: string; readonly live: HttpTransportOptions['live'] },
  openSocket: OpenSocket,
  request: Fetch,
): MacpTransport {
  const { ask, follow } = createRequests(base, request);
  const sockets = live === 'websocket' ? new SessionSockets({ openSocket, base }) : undefined;
  return {
    ...unsupported,
    initialize: async (attempt) => runtimeFrom(await ask('/.well-known/macp.json', attempt)),
    async send(envelope, attempt) {
      const body = writeMacpJson(envelope);
      const isLong = JSON.stringify(body).length > LONGEST;
      if (sockets !== undefined && !isLong) return acknowledged(await sockets.send(envelope, attempt));
      return acknowledged(ackFrom(await ask('/macp/envelope', attempt, { method: 'POST', body })));
    },
    getSession: async (id, attempt) => sessionFrom((await ask(session(id), attempt))['metadata']),
    async controlSession(action, { sessionId, reason }, attempt) {
      const request = { method: 'POST', body: { reason } } as const;
      return acknowledged(ackFrom(await ask(`${session(sessionId)}/${action}`, attempt, request)));
    },
    async listSessions(attempt) {
      const answer = await ask('/macp/sessions', attempt);
      const { more } = answer;
      const hasMore = typeof more === 'number' && more > 0;
      return { sessions: listIn(answer, 'sessions').map(sessionFrom), hasMore };
    },
    async sessionHistory({ state = 'all', ...asked }, attempt) {
      const query = new URLSearchParams({ state });
      for (const [key, value] of Object.entries(asked)) query.set(key, String(value));
      const answer = await ask(`/macp/sessions?${query.toString()}`, attempt);
      const { next } = answer;
      const sessions = listIn(answer, 'sessions').map(sessionFrom);
      return typeof next === 'number' ? { sessions, next } : { sessions };
    },
    async listModes(attempt) {
      return listIn(await ask('/macp/modes', attempt), 'modes') as readonly ModeDescriptor[];
    },
    async listExtModes(attempt) {
      const answer = await ask('/macp/v1/ListExtModes', attempt, { method: 'POST', body: {} });
      return listIn(answer, 'modes') as readonly ModeDescriptor[];
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
      return listIn(answer, 'descriptors') as readonly PolicyDescriptor[];
    },
    async getManifest(agentId, attempt) {
      const manifest = (await ask('/.well-known/macp.json', attempt)) as RuntimeManifest;
      if (agentId === '' || agentId === manifest.agent_id) return manifest;
      throw new MacpError(
        'INVALID_ENVELOPE',
        `Agent ${agentId} not found; the only agent here is ${manifest.agent_id}.`,
      );
    },
    async *subscribe(id, after, attempt): AsyncGenerator<AcceptedEnvelope, undefined> {
      if (sockets !== undefined) return yield* sockets.follow(id, after, attempt);
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
        yield listIn(data, 'descriptors') as readonly PolicyDescriptor[];
      }
    },
    async *watchSignals(attempt) {
      for await (const { envelope } of follow('/macp/signals', attempt)) yield envelopeFrom(envelope);
    },
    close() {
      sockets?.close();
      return Promise.resolve();
    },
  };
}

function session(id: string): string {
  return `/macp/session/${encodeURIComponent(id)}`;
}

function policy(id: string): string {
  return `/macp/policies/${encodeURIComponent(id)}`;
}
