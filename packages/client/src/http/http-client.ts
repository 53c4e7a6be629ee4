import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { defined, type JsonObject } from '@proffer/core/json';
import { refusalRow } from '@proffer/core/refusal';
import { type Addresses, askInTurn, createAddresses, httpBase } from '../connection/addresses.js';
import { newId } from '../connection/new-id.js';
import type { KeyInForce } from '../connection/welcome.js';
import { RefusedError } from '../errors.js';
import type { GrantInForce } from '../operations/grants.js';
import { ask, isGone, NoAnswerError, type Patience, readAnswer, reasonOf } from './ask.js';
import { type HttpRequest, parseBody, readText, request } from './request.js';
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
  /** The keys that decisions are signed with, and whether the caller may let others register one (O-49). */
  readonly keys: () => Promise<ListedKeys>;
  /** Signs the gateway's log as it is now: a signed note, and the keys to check it with. */
  readonly checkpoint: () => Promise<{ readonly checkpoint: string; readonly keys: readonly string[] }>;
  /**
   * A file that shows others how a proposal or a session was decided, or what happened since a time: an in-toto statement
   * in a DSSE envelope.
   *
   * @param kept - the sizes of checkpoints that somebody kept: the file proves that the log continues them
   * @param form - `cose`: a COSE message with receipts, in base64 as `{ cose }`. Default: `dsse`
   */
  readonly evidence: (
    about: EvidenceQuery,
    kept?: readonly number[],
    form?: 'dsse' | 'cose',
  ) => Promise<JsonObject>;
  readonly feed: (
    after: number | 'now',
  ) => Promise<{ readonly messages: readonly LoggedMessage[]; readonly seq: number }>;
  /** Messages after a `seq`, then live, until the gateway or the signal ends the stream. */
  readonly events: (after: number, signal: AbortSignal) => Promise<AsyncIterable<LoggedMessage>>;
}

/** What evidence is about, and which arguments of a call it hides; a time in milliseconds since 1970. */
export type EvidenceQuery =
  | { readonly proposal: string; readonly hide?: readonly string[] }
  | { readonly session: string }
  | { readonly since: number };

/** A delegated part in reviews, until a time in milliseconds since 1970. */
export interface DelegationInForce {
  readonly by: string;
  readonly to: string;
  readonly until: number;
}

/** Everyone's keys in force. */
export interface ListedKeys {
  readonly keys: readonly (KeyInForce & { readonly participant: string })[];
  readonly mayAllow: boolean;
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
    keys: () => get(`${space}/keys`),
    checkpoint: () =>
      askInTurn(addresses, isGone, (address) =>
        ask({ url: at(address, '/checkpoint'), ca, message: {}, authorization: authorization() }, options),
      ),
    evidence(about, kept = [], form = 'dsse') {
      const search = new URLSearchParams({ form });
      for (const size of kept) search.append('kept', `${size}`);
      if ('since' in about) search.set('since', `${about.since}`);
      if ('hide' in about) for (const name of about.hide ?? []) search.append('hide', name);
      const path =
        'session' in about
          ? `/macp/session/${encodeURIComponent(about.session)}/evidence`
          : 'since' in about
            ? `${space}/evidence`
            : `${space}/proposals/${encodeURIComponent(about.proposal)}/evidence`;
      return get(`${path}?${search.toString()}`);
    },
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
    yield { ...(JSON.parse(data) as LoggedMessage), ...defined({ time }) };
  }
}

/**
 * Opens an event stream: settles when it starts. From then on only the signal ends it.
 *
 * @throws RefusedError if the gateway refuses it
 * @throws NoAnswerError if it does not start in time, or the answer is not from a gateway
 */
async function openEvents(
  url: string,
  { signal, ...options }: HttpRequest & { readonly signal: AbortSignal },
  { answerWithin = 10_000 }: Pick<Patience, 'answerWithin'>,
): Promise<IncomingMessage> {
  // A separate signal: aborting an unanswered request must not abort the reader's.
  const ends = new AbortController();
  const end = (): void => ends.abort(signal.reason);
  const timer = setTimeout(end, answerWithin);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const forget = (): void => signal.removeEventListener('abort', end);
  try {
    const response = await request(url, { ...options, signal: ends.signal });
    response.once('close', forget);
    if (response.statusCode === 200) return response;
    const text = await readText(response).catch(() => '');
    readAnswer(response.statusCode ?? 0, parseBody(text), { url, isPosted: false });
    return response;
  } catch (cause) {
    forget();
    if (signal.aborted || cause instanceof RefusedError || cause instanceof NoAnswerError) throw cause;
    const about = { mayHaveArrived: false, cause };
    throw ends.signal.aborted
      ? new NoAnswerError('silent', { ...about, message: `no response within ${answerWithin / 1000} s` })
      : new NoAnswerError('unreachable', { ...about, message: reasonOf(cause) });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sends a message to the current gateway and, if it does not answer, under the same id to each of the
 * others. The final error says whether the message may have arrived at any of them.
 */
async function sendInTurn<Value>(
  addresses: Addresses,
  send: (address: string) => Promise<Value>,
): Promise<Value> {
  let lost: NoAnswerError | undefined;
  const keep = (error: unknown): boolean => {
    if (error instanceof NoAnswerError && error.mayHaveArrived) lost ??= error;
    return isGone(error);
  };
  try {
    return await askInTurn(addresses, keep, send);
  } catch (error) {
    if (lost === undefined || error === lost) throw error;
    if (error instanceof NoAnswerError) throw mayHaveArrived(error, error);
    if (!(error instanceof RefusedError) || isNotRecorded(error)) throw error;
    const message = `${lost.message}; then another gateway refused it (${error.code}): ${error.message}`;
    throw mayHaveArrived(lost, { message, cause: error });
  }
}

/**
 * Whether a refusal shows that no gateway has the message. Others, such as of a rate or a token, say nothing about what
 * an earlier gateway did with it.
 */
function isNotRecorded({ code }: RefusedError): boolean {
  return refusalRow(code)?.notRecorded === true;
}

function mayHaveArrived(
  { kind, status }: NoAnswerError,
  { message, cause }: Pick<NoAnswerError, 'message' | 'cause'>,
): NoAnswerError {
  const about = { message, cause, mayHaveArrived: true };
  return new NoAnswerError(kind, status === undefined ? about : { ...about, status });
}
