import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { CommandFailure, type Failure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import { textOf } from '../terminal/visible.js';
import type { Endpoint } from './endpoint.js';
import { DEFAULT_URL } from './endpoint-options.js';
import { loadEventReader } from './event-stream.js';
import { sameOptions } from './gateway-url.js';
import type { Message, ProposalView, Step } from './proposal-view.js';

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
  ) => Promise<{ readonly messages: readonly Message[]; readonly seq: number }>;
  /** Messages after a `seq`, then live, until the gateway ends the stream or the signal does. */
  readonly events: (after: number, signal: AbortSignal) => Promise<AsyncIterable<Message>>;
}

/** What `GET /whoami` says. */
export interface Identity {
  readonly participant: string;
  readonly credential: string;
  readonly observer: boolean;
  readonly spaces: readonly { readonly name: string; readonly capabilities: readonly JsonValue[] }[];
}

interface Page {
  readonly proposals: readonly ProposalView[];
  readonly next?: string;
}

/** How long a connection waits, and what ends it. */
export interface Patience {
  /** Ends every request but a stream of events, which has its own. */
  readonly signal?: AbortSignal;
  /** Milliseconds within which an answer must begin; that of a stream of events may take longer. Default 10,000. */
  readonly answerWithin?: number;
}

/** @param name - how the reader calls this program, for the commands to try next */
export function createConnection(
  endpoint: Endpoint,
  name: string,
  { signal: interruption, answerWithin = 10_000 }: Patience = {},
): Connection {
  const base = `/spaces/${encodeURIComponent(endpoint.space)}`;
  const authorization = `Bearer ${endpoint.token}`;

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${endpoint.url}${path}`, {
        redirect: 'error',
        ...init,
        headers: { authorization, ...(init.headers as Record<string, string> | undefined) },
      });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw unreachable(endpoint, name, error);
    }
    if (response.ok) return response;
    throw refusedBy(endpoint, response.status, await bodyOf(response), name);
  }

  async function read<Value>(response: Response): Promise<Value> {
    try {
      return (await response.json()) as Value;
    } catch (error) {
      // Anything else but wrong JSON is an answer that broke off.
      throw error instanceof SyntaxError ? notAGateway(endpoint, error) : unreachable(endpoint, name, error);
    }
  }

  async function answerTo<Value>(path: string, init: RequestInit = {}): Promise<Value> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), answerWithin);
    const signals = [silence.signal, init.signal, interruption].flatMap((signal) => signal ?? []);
    try {
      const response = await ask(path, { ...init, signal: AbortSignal.any(signals) });
      clearTimeout(timer);
      return await read<Value>(response);
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      const isSent = init.method === 'POST';
      if (interruption?.aborted === true) throw interrupted(endpoint, isSent, error);
      if (silence.signal.aborted) throw silent(endpoint, { name, isSent, answerWithin }, error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  const get = async <Value>(path: string, signal?: AbortSignal): Promise<Value> =>
    await answerTo(path, signal === undefined ? {} : { signal });

  return {
    name,
    endpoint,
    async send(message) {
      const headers = { 'content-type': 'application/json' };
      return await answerTo(`${base}/messages`, { method: 'POST', body: JSON.stringify(message), headers });
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
      const headers = { accept: 'text/event-stream' };
      const { body } = await ask(`${base}/feed?after=${after}`, { headers, signal });
      if (body === null) throw notAGateway(endpoint, undefined);
      return readEvents(body, signal);
    },
  };
}

async function bodyOf(response: Response): Promise<JsonValue> {
  try {
    return (await response.json()) as JsonValue;
  } catch {
    return null;
  }
}

function unreachable(endpoint: Endpoint, name: string, cause: unknown): CommandFailure {
  const { url } = endpoint;
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : '';
  const message = `No gateway answers at ${url}${reason === '' ? '' : ` (${reason})`}.`;
  const next = nextUnreachable(endpoint, name);
  return new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message, next }, cause);
}

const MAY_HAVE_ARRIVED = ' What was sent may have arrived all the same: look before you send it again.';

/** No error, and no answer either. */
function silent(
  endpoint: Endpoint,
  asked: { readonly name: string; readonly isSent: boolean; readonly answerWithin: number },
  cause: unknown,
): CommandFailure {
  const { name, isSent, answerWithin } = asked;
  const within = `No gateway answers at ${endpoint.url}: nothing came within ${answerWithin / 1000} s.`;
  const message = `${within}${isSent ? MAY_HAVE_ARRIVED : ''}`;
  const next = [`${name} doctor${sameOptions(endpoint)}   # find out what is wrong`];
  return new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message, next }, cause);
}

function interrupted({ url }: Endpoint, isSent: boolean, cause: unknown): CommandFailure {
  const message = `Interrupted before ${url} answered.${isSent ? MAY_HAVE_ARRIVED : ''}`;
  return new CommandFailure({ exit: EXIT.interrupted, code: 'interrupted', message }, cause);
}

/** What helps where no gateway answers. Another one started here would not be the one that was asked for. */
export function nextUnreachable({ url, given, data }: Endpoint, name: string): readonly string[] {
  if (data !== undefined) {
    return [
      'It lives as long as a guard does: start the MCP client, or the guard, again.',
      `${name} log --data ${data}   # what happened, without it`,
    ];
  }
  if (url === DEFAULT_URL) {
    return [
      `${name} up --dev   # start one here`,
      `${name} doctor     # find out what is wrong`,
      `${name} log --data FOLDER   # what happened, from a journal, without one`,
    ];
  }
  return [
    'Check the address, and whether it runs.',
    `${name} doctor${sameOptions({ given })}   # find out what is wrong`,
  ];
}

function notAGateway({ url }: Endpoint, cause: unknown): CommandFailure {
  const message = `What answers at ${url} is not a Proffer gateway.`;
  return new CommandFailure(
    { exit: EXIT.unreachable, code: 'not_a_gateway', message, next: ['Check --url.'] },
    cause,
  );
}

function refusedBy(endpoint: Endpoint, status: number, body: JsonValue, name: string): CommandFailure {
  const error = isJsonObject(body) ? body['error'] : undefined;
  if (!isJsonObject(error)) return notAGateway(endpoint, new Error(`HTTP status ${status}`));
  const code = textOf(error['code']);
  const details = isJsonObject(error['details']) ? error['details'] : {};
  return new CommandFailure({
    exit: EXIT.refused,
    code,
    message: textOf(error['message']),
    details,
    next: nextAfter({ code, details }, endpoint, name),
  });
}

/** What the sentence of a refusal cannot know: the command that helps. */
function nextAfter(
  { code, details }: Pick<Failure, 'code'> & { readonly details: JsonObject },
  endpoint: Endpoint,
  name: string,
): readonly string[] {
  const { assumed, token, given } = endpoint;
  switch (code) {
    case 'unauthenticated':
      if (given.as !== undefined) {
        return [
          '--as works only in dev mode, where the name is the token. Here: --token …, or PROFFER_TOKEN.',
        ];
      }
      return assumed
        ? [
            `Without a token, "${token}" was tried, which only a gateway in dev mode knows.`,
            'export PROFFER_TOKEN=…   # or --token …',
          ]
        : [`${name} token NAME   # makes one, and says where it goes`];
    case 'unknown_proposal':
      return [`${name} inbox${sameOptions(endpoint)}   # lists what is pending`];
    case 'capability_violation':
      return ['--as reviewer   # in dev mode, somebody who may', '--token …        # elsewhere'];
    case 'ambiguous_executor': {
      const { candidates } = details;
      const names = isJsonArray(candidates) ? candidates.map(textOf) : [];
      return names.length === 0
        ? ['Start whoever serves it; until then it cannot be run.']
        : [`--to NAME   # says who shall run it: ${names.join(', ')}`];
    }
    case 'executor_absent':
      return [`Start ${textOf(details['executor'])} again, or wait until it is back.`];
    default:
      return [];
  }
}
