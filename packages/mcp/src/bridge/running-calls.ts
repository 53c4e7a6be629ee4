import type { Clock } from '@proffer/client/own-calls';
import { OperationFailedError } from '@proffer/client/participation';
import { INTERNAL_ERROR, type RpcAnswer } from '../json-rpc.js';
import type { SentRequest } from './server-session.js';

/** How many calls may wait for the server's answer. */
const MAX_CALLS = 1_000;

/** How long a call without a timeout keeps its place, in milliseconds. */
const CALL_TIMEOUT = 3_600_000;

interface RunningCall {
  readonly startedAt: number;
  readonly giveUp: (cause: Error) => void;
}

/**
 * Calls that the server has not answered. A late answer is useful, since it makes an unknown outcome known
 * (O-23): a call that timed out stays until another one needs its slot, and is not cancelled.
 */
export class RunningCalls {
  readonly #clock: Clock;
  /** By request id, oldest first. */
  readonly #running = new Map<string, RunningCall>();
  readonly #overdue = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Makes a call. Rejects with an OperationFailedError, without calling, if 1,000 are already waiting and
   * none of them has timed out: after the space's timeout, or an hour for a request without a proposal.
   */
  async run(id: string, call: () => SentRequest): Promise<RpcAnswer> {
    if (this.#running.size >= MAX_CALLS) this.#makeRoom();
    const { answer, giveUp } = call();
    this.#running.set(id, { startedAt: this.#clock.now(), giveUp });
    try {
      return await answer;
    } finally {
      this.#forget(id);
    }
  }

  /** The space has declared the outcome of a request unknown. */
  declareOverdue(id: string): void {
    if (this.#running.has(id)) this.#overdue.add(id);
  }

  #makeRoom(): void {
    const [id = this.#oldestOverAnHour()] = this.#overdue;
    const call = id === undefined ? undefined : this.#running.get(id);
    if (id === undefined || call === undefined) {
      const message = `The server has ${MAX_CALLS} unanswered calls; nothing was run. Try again later.`;
      throw new OperationFailedError(INTERNAL_ERROR, message);
    }
    this.#forget(id);
    call.giveUp(new Error('The server took too long to answer; a late answer is discarded.'));
  }

  #oldestOverAnHour(): string | undefined {
    const [oldest] = this.#running;
    if (oldest === undefined) return undefined;
    const [id, { startedAt }] = oldest;
    return this.#clock.now() - startedAt >= CALL_TIMEOUT ? id : undefined;
  }

  #forget(id: string): void {
    this.#running.delete(id);
    this.#overdue.delete(id);
  }
}

/** Requests other than tool calls that a bridge passes on: they only read. */
const PASSED_ON: readonly string[] = [
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'ping',
];

const OWN = 'The bridge itself manages the connection to its server';
const NEWS = 'This method would make the server send notifications, which a bridge does not pass on';
const TASKS = 'Calls through a bridge do not create tasks: the answer to tools/call is the result';
const TOWARDS_CLIENTS = 'Servers send this method to clients, and a bridge has no client';

/** MCP requests that are not for the server, by method or by prefix. */
const REASONS: readonly (readonly [string, string])[] = [
  ['initialize', OWN],
  ['server/discover', OWN],
  ['resources/subscribe', NEWS],
  ['resources/unsubscribe', NEWS],
  ['subscriptions/', NEWS],
  ['logging/', NEWS],
  ['tasks/', TASKS],
  ['sampling/', TOWARDS_CLIENTS],
  ['elicitation/', TOWARDS_CLIENTS],
  ['roots/', TOWARDS_CLIENTS],
];

/**
 * Why a bridge does not pass a request on to its server, and what it does pass on; `undefined` if it passes
 * it on.
 */
export function whyNotPassedOn(method: string): string | undefined {
  if (PASSED_ON.includes(method)) return undefined;
  const reason = REASONS.find(([name]) => (name.endsWith('/') ? method.startsWith(name) : method === name));
  const why = reason === undefined ? '' : ` ${reason[1]}.`;
  return `A bridge does not pass on ${method}.${why} It answers tools/call, tools/list, ${PASSED_ON.join(', ')}.`;
}
