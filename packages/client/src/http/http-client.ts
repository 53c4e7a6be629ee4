import { Readable } from 'node:stream';
import type { JsonObject } from '@proffer/core/json';
import { httpBase } from '../connection/address.js';
import { askInTurn, createAddresses } from '../connection/addresses.js';
import { newId } from '../connection/new-id.js';
import type { GrantInForce } from '../operations/grants.js';
import { ask, type Patience } from './asking.js';
import { isGone } from './errors.js';
import { openEvents } from './open-events.js';
import { sendInTurn } from './send-in-turn.js';
import { readServerEvents } from './server-events.js';
import type { Identity, LoggedMessage, ProposalView, ProposalWithHistory, Sent } from './views.js';

/** Where a gateway is, and the credentials. */
export interface HttpClientOptions extends Patience {
  /**
   * `http:`, `https:`, `ws:` or `wss:`, without a path, or with the gateway's base path. Several, as a
   * list or separated by commas, for gateways on one journal: if one does not answer, the next one is
   * asked.
   */
  readonly url: string | readonly string[];
  readonly space: string;
  readonly token: string | (() => string);
  /** Certificate authorities to trust in addition to Node's, in PEM. Default none. */
  readonly ca?: string | Uint8Array | undefined;
}

/** Which proposals to list, as in the query of `GET /spaces/{space}/proposals`. */
export interface ProposalQuery {
  readonly state?: 'pending';
  readonly proposer?: string;
  /** Milliseconds since 1970: only those that changed then or later, or are unfinished. */
  readonly since?: string;
  /** Where to start: the `next` of an earlier page, or a `seq`. */
  readonly after?: string;
}

/** A gateway's space over HTTP: for occasional requests, where a connection is not worth its cost. */
export interface HttpClient {
  /** Sends a message; if it has no id it gets one. Sent again under the same id, it counts once (O-3). */
  readonly send: (message: JsonObject) => Promise<Sent>;
  /** The pending proposals, oldest first, and how many more there are. */
  readonly pending: () => Promise<{ readonly proposals: readonly ProposalView[]; readonly more: number }>;
  /** Every proposal, oldest first, page by page. */
  readonly proposals: (query?: ProposalQuery) => AsyncIterable<readonly ProposalView[]>;
  readonly proposal: (id: string, signal?: AbortSignal) => Promise<ProposalWithHistory>;
  readonly whoAmI: () => Promise<Identity>;
  /** The grants in force in the space, oldest first (O-41). */
  readonly grants: () => Promise<readonly GrantInForce[]>;
  /** Who decides for whom, in the whole space (O-34). */
  readonly delegations: () => Promise<Delegations>;
  readonly feed: (
    after: number | 'now',
  ) => Promise<{ readonly messages: readonly LoggedMessage[]; readonly seq: number }>;
  /** Messages after a `seq`, then live, until the gateway or the signal ends the stream. */
  readonly events: (after: number, signal: AbortSignal) => Promise<AsyncIterable<LoggedMessage>>;
}

/** A delegated part in reviews, until a time in milliseconds since 1970. */
export interface DelegationInForce {
  readonly by: string;
  readonly to: string;
  readonly until: number;
}

/** Who decides for whom. */
export interface Delegations {
  readonly delegations: readonly DelegationInForce[];
  /**
   * Whether a review policy names the caller, so that there is a part to delegate; absent from an older
   * gateway.
   */
  readonly named?: boolean;
}

interface Page {
  readonly proposals: readonly ProposalView[];
  readonly next?: string;
}

/** All its methods throw a `RefusedError` if the gateway refuses, and a `NoAnswerError` otherwise. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { token, ca } = options;
  const addresses = createAddresses(options.url);
  const bases = new Map(addresses.all.map((address) => [address, httpBase(address)]));
  const space = `/spaces/${encodeURIComponent(options.space)}`;
  const at = (address: string, path: string): string => `${bases.get(address) ?? ''}${path}`;
  const authorization = (): string => `Bearer ${typeof token === 'string' ? token : token()}`;
  const get = async <Value>(path: string, signal?: AbortSignal): Promise<Value> =>
    await askInTurn(addresses, isGone, (address) =>
      ask({ url: at(address, path), ca, signal, authorization: authorization() }, options),
    );

  return {
    async send(draft) {
      const message = { id: newId(), ...draft };
      return await sendInTurn(addresses, (address) =>
        ask({ url: at(address, `${space}/messages`), ca, message, authorization: authorization() }, options),
      );
    },
    pending: () => get(`${space}/proposals?state=pending`),
    async *proposals(query = {}) {
      for (let asked: ProposalQuery = query; ; ) {
        const search = new URLSearchParams({ ...asked }).toString();
        const { proposals, next } = await get<Page>(`${space}/proposals${search === '' ? '' : `?${search}`}`);
        yield proposals;
        if (next === undefined) return;
        asked = { ...query, after: next };
      }
    },
    proposal: (id, signal) => get(`${space}/proposals/${encodeURIComponent(id)}`, signal),
    whoAmI: () => get('/whoami'),
    async grants() {
      const { grants } = await get<{ readonly grants: readonly GrantInForce[] }>(`${space}/grants`);
      return grants;
    },
    delegations: () => get(`${space}/delegations`),
    feed: (after) => get(`${space}/feed?after=${after}`),
    async events(after, signal) {
      const headers = { authorization: authorization(), accept: 'text/event-stream' };
      const response = await askInTurn(addresses, isGone, (address) =>
        openEvents(at(address, `${space}/feed?after=${after}`), { headers, signal, ca }, options),
      );
      return messagesIn(Readable.toWeb(response) as ReadableStream<Uint8Array>, signal);
    },
  };
}

async function* messagesIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<LoggedMessage> {
  for await (const { type, data, time } of readServerEvents(body, signal)) {
    if (type === 'end') return;
    yield { ...(JSON.parse(data) as LoggedMessage), ...(time === undefined ? {} : { time }) };
  }
}
