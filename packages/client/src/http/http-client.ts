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

/** Where a gateway is, and who asks. */
export interface HttpClientOptions extends Patience {
  /**
   * `http:`, `https:`, `ws:` or `wss:`, without a path, or with the path that the gateway is under. Several, in a list or
   * with commas between them, for gateways on one journal: what one does not answer, the next one is asked.
   */
  readonly url: string | readonly string[];
  readonly space: string;
  readonly token: string | (() => string);
  /** Certificates of authorities to trust in addition to those that Node trusts, in PEM. Default none. */
  readonly ca?: string | Uint8Array | undefined;
}

/** Which proposals to list, as in the query of `GET /spaces/{space}/proposals`. */
export interface ProposalQuery {
  readonly state?: 'pending';
  readonly proposer?: string;
  /** Milliseconds since 1970: only what changed then or later, and what is not over. */
  readonly since?: string;
  /** Where to begin: the `next` of an earlier page, or a `seq`. */
  readonly after?: string;
}

/** A space of a gateway over HTTP: for what asks now and then, where a connection is not worth its cost. */
export interface HttpClient {
  /** Sends a message; without an id it gets one, under which it can be sent again and counts once (O-3). */
  readonly send: (message: JsonObject) => Promise<Sent>;
  /** What is pending, the oldest first, and how many more there are. */
  readonly pending: () => Promise<{ readonly proposals: readonly ProposalView[]; readonly more: number }>;
  /** Every proposal, the oldest first, page after page. */
  readonly proposals: (query?: ProposalQuery) => AsyncIterable<readonly ProposalView[]>;
  readonly proposal: (id: string, signal?: AbortSignal) => Promise<ProposalWithHistory>;
  readonly whoAmI: () => Promise<Identity>;
  /** What is granted in the space and in force, the oldest first (O-41). */
  readonly grants: () => Promise<readonly GrantInForce[]>;
  /** Who decides for whom, in the whole space (O-34). */
  readonly delegations: () => Promise<Delegations>;
  readonly feed: (
    after: number | 'now',
  ) => Promise<{ readonly messages: readonly LoggedMessage[]; readonly seq: number }>;
  /** Messages after a `seq`, then live, until the gateway ends the stream or the signal does. */
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
  /** Whether a review policy names who asks, so that there is a part to hand over; absent from an older gateway. */
  readonly named?: boolean;
}

interface Page {
  readonly proposals: readonly ProposalView[];
  readonly next?: string;
}

/** Everything it does throws a `RefusedError` for what the gateway refuses, and a `NoAnswerError` otherwise. */
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
