import { Readable } from 'node:stream';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { CommandFailure, type Failure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { LoggedMessage, ProposalView, Step } from '../proposals/proposal-view.js';
import { shellWord } from '../terminal/shell-word.js';
import { textOf } from '../terminal/visible.js';
import type { Endpoint } from './endpoint.js';
import { loadEventReader } from './event-stream.js';
import { sameOptions } from './gateway-url.js';
import { NotAnsweredError, parseBody, readText, requestOnce } from './http-request.js';
import { interrupted, notAGateway, outOfTime, silent, type Unanswered, unreachable } from './no-answer.js';

/** What became of a message that was sent. */
export type Sent = {
  readonly id: string | null;
  /** `late`: it makes no difference any more, since the proposal is no longer pending (O-16). */
  readonly status: 'accepted' | 'duplicate' | 'late';
  readonly seq?: number;
};

/**
 * A gateway over HTTP. Everything throws {@link CommandFailure}: unreachable, refused, or interrupted; where the
 * signal of a single request ends it, that request throws what the signal says.
 */
export interface Connection {
  /** How the reader calls this program, for the commands to try next. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly send: (message: JsonObject) => Promise<Sent>;
  /** What is pending, the oldest first, and how many more there are. */
  readonly pending: () => Promise<{ readonly proposals: readonly ProposalView[]; readonly more: number }>;
  /** Every proposal of the space, the oldest first, page after page. */
  readonly everyProposal: () => AsyncIterable<readonly ProposalView[]>;
  readonly proposal: (
    id: string,
    signal?: AbortSignal,
  ) => Promise<{ readonly proposal: ProposalView; readonly history: readonly Step[] }>;
  /** Who the token stands for, where it may go, and what it may do there. */
  readonly whoAmI: () => Promise<Identity>;
  readonly feed: (
    after: number | 'now',
  ) => Promise<{ readonly messages: readonly LoggedMessage[]; readonly seq: number }>;
  /** Messages after a `seq`, then live, until the gateway ends the stream or the signal does. */
  readonly events: (after: number, signal: AbortSignal) => Promise<AsyncIterable<LoggedMessage>>;
}

/** What `GET /whoami` says. */
export interface Identity {
  readonly participant: string;
  readonly credential: string;
  readonly observer: boolean;
  readonly spaces: readonly { readonly name: string; readonly capabilities: readonly JsonValue[] }[];
}

interface Question {
  readonly signal?: AbortSignal | undefined;
  /** What is sent; absent where something is only asked. */
  readonly message?: JsonObject;
  /** The proposal that the message is about. */
  readonly sent?: string;
}

interface Page {
  readonly proposals: readonly ProposalView[];
  readonly next?: string;
}

/** How long a connection waits, and what ends it. */
export interface Patience {
  /** Ends every request but a stream of events, which has its own. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds within which an answer must begin, and go on until it is complete; that of a stream of events may
   * take longer. Default 10,000.
   */
  readonly answerWithin?: number;
  /** When the time is over that was given for all requests together, in milliseconds since 1970. Default never. */
  readonly until?: number;
}

/** @param name - how the reader calls this program, for the commands to try next */
export function createConnection(
  endpoint: Endpoint,
  name: string,
  { signal: interruption, answerWithin = 10_000, until = Number.POSITIVE_INFINITY }: Patience = {},
): Connection {
  const base = `/spaces/${encodeURIComponent(endpoint.space)}`;
  const authorization = `Bearer ${endpoint.token}`;

  async function answerTo<Value>(
    path: string,
    { signal: given, sent, message }: Question = {},
  ): Promise<Value> {
    const asked = { endpoint, name, sent };
    const ends = new AbortController();
    const end = (): void => ends.abort();
    let timer: NodeJS.Timeout | undefined;
    let hasBegun = false;
    let isLate = false;
    const wait = (): void => {
      clearTimeout(timer);
      const left = Math.max(0, until - Date.now());
      isLate = left < answerWithin;
      timer = setTimeout(end, Math.min(answerWithin, left));
    };
    const signals = [given, interruption].flatMap((signal) => signal ?? []);
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some(({ aborted }) => aborted)) end();
    try {
      wait();
      const content =
        message === undefined
          ? { headers: { authorization } }
          : {
              method: 'POST' as const,
              headers: { authorization, 'content-type': 'application/json' },
              body: JSON.stringify(message),
            };
      const response = await requestOnce(`${endpoint.url}${path}`, {
        ...content,
        ca: endpoint.ca,
        signal: ends.signal,
      });
      const text = await readText(response, () => {
        hasBegun = true;
        wait();
      });
      const body = parseBody(text);
      const { statusCode: status = 0 } = response;
      if (!isFine(status)) throw refusedBy(asked, status, body);
      if (body === undefined) throw notAGateway(asked, status);
      return body as Value;
    } catch (error) {
      if (given?.aborted === true) throw error;
      const hasNotLeft = error instanceof NotAnsweredError && !error.wasConnected;
      const lost = hasNotLeft ? { endpoint, name } : asked;
      if (interruption?.aborted === true) throw interrupted(lost, error);
      if (ends.signal.aborted)
        throw isLate ? outOfTime(lost, error) : silent(lost, { answerWithin, hasBegun }, error);
      throw error instanceof CommandFailure ? error : unreachable(lost, error);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }

  const get = async <Value>(path: string, signal?: AbortSignal): Promise<Value> =>
    await answerTo(path, { signal });

  return {
    name,
    endpoint,
    async send(message) {
      const { id, correlationId = id } = message;
      const about = isJsonArray(correlationId) ? correlationId[0] : correlationId;
      return await answerTo(`${base}/messages`, { message, sent: textOf(about) });
    },
    pending: () => get(`${base}/proposals?state=pending`),
    async *everyProposal() {
      for (let after = ''; ; ) {
        const { proposals, next } = await get<Page>(`${base}/proposals${after}`);
        yield proposals;
        if (next === undefined) return;
        after = `?after=${encodeURIComponent(next)}`;
      }
    },
    proposal: (id, signal) => get(`${base}/proposals/${encodeURIComponent(id)}`, signal),
    whoAmI: () => get('/whoami'),
    feed: (after) => get(`${base}/feed?after=${after}`),
    async events(after, signal) {
      const readEvents = await loadEventReader();
      const headers = { authorization, accept: 'text/event-stream' };
      const asked = { endpoint, name };
      const response = await requestOnce(`${endpoint.url}${base}/feed?after=${after}`, {
        headers,
        signal,
        ca: endpoint.ca,
      }).catch((error: unknown) => {
        throw signal.aborted ? error : unreachable(asked, error);
      });
      const { statusCode: status = 0 } = response;
      if (!isFine(status)) {
        const text = await readText(response).catch(() => '');
        throw refusedBy(asked, status, parseBody(text));
      }
      const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
      return readEvents(body, signal);
    },
  };
}

function isFine(status: number): boolean {
  return status >= 200 && status < 300;
}

function refusedBy(asked: Unanswered, status: number, body: JsonValue | undefined): CommandFailure {
  // Problem details; the MACP routes have the same in `error`.
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : body;
  if (!isJsonObject(error) || error['code'] === undefined) return notAGateway(asked, status);
  const code = textOf(error['code']);
  const details = isJsonObject(error['details']) ? error['details'] : {};
  return new CommandFailure({
    exit: EXIT.refused,
    code,
    message: textOf(error['detail'] ?? error['message']),
    details,
    next: nextAfter({ code, details }, asked),
  });
}

/** What the sentence of a refusal cannot know: the command that helps. */
function nextAfter(
  { code, details }: Pick<Failure, 'code'> & { readonly details: JsonObject },
  { endpoint, name }: Unanswered,
): readonly string[] {
  const { assumed, token, given } = endpoint;
  switch (code) {
    case 'unauthenticated':
      if (given.as !== undefined) {
        return ['--as works only in dev mode. Here, use --token or PROFFER_TOKEN.'];
      }
      return assumed
        ? [
            `No token was given, so "${token}" was tried, which works only in dev mode.`,
            'export PROFFER_TOKEN=…   # or --token …',
          ]
        : [
            `${name} login --url ${shellWord(endpoint.url)}   # store another token`,
            `${name} token NAME   # for the operator: makes one, and says where it goes`,
          ];
    case 'forbidden_space': {
      const { your_spaces: mine } = details;
      const names = isJsonArray(mine) ? mine.map(textOf) : [];
      return names.length === 0
        ? ['Your token is good for no space here: ask the operator for one.']
        : [`--space ${shellWord(names[0] ?? '')}   # your token is good for: ${names.join(', ')}`];
    }
    case 'unknown_proposal':
      return [`${name} inbox${sameOptions(endpoint)}   # lists what is pending`];
    case 'capability_violation':
      return [
        '--as reviewer   # in dev mode: somebody who may do this',
        '--token …        # elsewhere: the token of somebody who may',
      ];
    case 'ambiguous_executor': {
      const { candidates } = details;
      const names = isJsonArray(candidates) ? candidates.map(textOf) : [];
      return names.length === 0
        ? ['Start a participant that serves it.']
        : [`--to NAME   # who runs it: ${names.join(', ')}`];
    }
    case 'executor_absent':
      return [`Restart ${textOf(details['executor'])}, or wait until it reconnects, then try again.`];
    default:
      return [];
  }
}
