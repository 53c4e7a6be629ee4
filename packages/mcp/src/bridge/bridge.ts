import { type Clock, errorToThrow, outcomeLost, SYSTEM_CLOCK } from '@proffer/client/own-calls';
import {
  type Message,
  OperationFailedError,
  type OtherRequest,
  type Participant,
  type ToolCall,
} from '@proffer/client/participation';
import { GATEWAY } from '@proffer/core';
import { describe, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { JsonRpcChannel } from '../channel/channel.js';
import { NotTakenError } from '../channel/not-taken.js';
import { ServerRequests } from '../channel/server-requests.js';
import { createShallowChannel } from '../channel/shallow-channel.js';
import { answerTo, INTERNAL_ERROR, isRequest, METHOD_NOT_FOUND, type RpcAnswer } from '../json-rpc.js';
import { Announcements } from './announcements.js';
import { Reads } from './reads.js';
import { RunningCalls, whyNotPassedOn } from './running-calls.js';
import { LISTS, type List, openSession, type ServerSession } from './server-session.js';

const FIRST = 500;
const LONGEST = 60_000;

/** The delay before a server is restarted, in milliseconds: doubled with each failure, up to a minute. */
export function restartDelay(failures: number): number {
  return Math.min(LONGEST, FIRST * 2 ** Math.min(failures, 20));
}

export interface BridgeOptions {
  readonly participant: Participant;
  /** Starts the server, each time it is needed. */
  readonly openServer: () => JsonRpcChannel;
  /** The server's name in messages: its command, or its address. Default: `the server`. */
  readonly name?: string;
  /** Whether it runs elsewhere, so that it is connected to, not started. Default: false. */
  readonly isRemote?: boolean;
  /** Whether what the server says about its tools (`readOnlyHint` …) is announced. Default: false. */
  readonly trustsHints?: boolean;
  readonly clock?: Clock;
  /** Called with each line for the operator. */
  readonly log?: (line: string) => void;
}

/** Timeout for the first request, in milliseconds: the server may have to be downloaded first. */
const START_TIMEOUT = 60_000;

/** A run that lasted this long, in milliseconds, resets the restart delay. */
const GOOD_RUN = 30_000;

interface RunningServer {
  readonly channel: JsonRpcChannel;
  readonly session: ServerSession;
}

/**
 * An MCP server as an executor in a space: announces its tools, resources and prompts, and answers requests that are
 * routed to it. A server that dies is restarted; the calls that it was running have an unknown outcome (O-23).
 */
export class Bridge {
  readonly #participant: Participant;
  readonly #openServer: () => JsonRpcChannel;
  readonly #name: string;
  readonly #isRemote: boolean;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #reads: Reads;
  readonly #calls: RunningCalls;
  readonly #announcements: Announcements;
  #server: RunningServer | undefined;
  #probing: JsonRpcChannel | undefined;
  #failures = 0;
  #isClosed = false;
  #stopRestart: () => void = () => {};

  private constructor(options: BridgeOptions) {
    const { participant, openServer, name = 'the server', clock = SYSTEM_CLOCK, log = () => {} } = options;
    this.#participant = participant;
    this.#openServer = openServer;
    this.#name = name;
    this.#isRemote = options.isRemote ?? false;
    this.#clock = clock;
    this.#log = log;
    this.#reads = new Reads(clock);
    this.#calls = new RunningCalls(clock);
    this.#announcements = new Announcements({
      participant,
      clock,
      log,
      trustsHints: options.trustsHints ?? false,
      reads: this.#reads,
      session: () => (this.#isClosed ? undefined : this.#server?.session),
      call: (name) => (args, request) => this.#call(name, args, request),
      answer: (request) => this.#answer(request),
    });
    participant.on('message', (message) => this.#hear(message));
  }

  /**
   * Starts the server and announces what it has. Rejects if the server cannot be started the first time, or
   * does not answer `initialize` within a minute then; later it is restarted in either case.
   */
  static async start(options: BridgeOptions): Promise<Bridge> {
    const bridge = new Bridge(options);
    // The space may know us from an earlier run: requests that arrive now are told that the server is not running yet.
    await bridge.#announcements.begin();
    await bridge.#start();
    return bridge;
  }

  /** The lists that the server offers: tools, resources, prompts; empty while it is not running. */
  get lists(): readonly List[] {
    const session = this.#server?.session;
    return session === undefined ? [] : LISTS.filter((list) => session.has(list));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopRestart();
    await this.#participant.close();
    await this.#server?.channel.close();
  }

  async #start(): Promise<void> {
    const channel = createShallowChannel(this.#openServer());
    const requests = new ServerRequests(channel);
    const startedAt = this.#clock.now();
    const end = (cause = new Error('The server disconnected.')): void => {
      // For the request that revealed it, it may be certain that nothing was done, but not for the others.
      requests.end(new Error(cause.message, { cause }));
      // A server that exits before it was ready failed to start, which is reported there.
      if (this.#server?.channel !== channel) return;
      this.#server = undefined;
      if (this.#clock.now() - startedAt >= GOOD_RUN) this.#failures = 0;
      this.#restartLater(cause);
    };
    await channel.open({
      onMessage: (message) => this.#take(message, channel, requests),
      onUnanswered: (id, cause) => {
        requests.lose(id, cause);
        void this.#probe(channel, end);
      },
      onFault: () => void this.#probe(channel, end),
      onClose: end,
      onDrain: () => {},
    });
    const stopWaiting = this.#clock.after(START_TIMEOUT, () => requests.end(this.#tooSlow()));
    const send = (message: JsonObject): void => void channel.send(message);
    const onLost = (cause: Error): void => {
      end(cause);
      void channel.close();
    };
    const opening = openSession(requests, send, onLost).finally(stopWaiting);
    const session = await opening.catch(async (error: unknown) => {
      await channel.close();
      throw error;
    });
    if (this.#isClosed) return channel.close();
    this.#server = { channel, session };
    await this.#announcements.refresh(LISTS);
  }

  /** A server over HTTP is gone, or has forgotten us, if it does not answer what it always answers. */
  async #probe(channel: JsonRpcChannel, end: (cause: Error) => void): Promise<void> {
    const session = this.#server?.channel === channel ? this.#server.session : undefined;
    if (session === undefined || this.#probing === channel) return;
    this.#probing = channel;
    try {
      await this.#reads.askInTime(session, session.probe, {});
      // The server may be a new instance by now that knows nothing about its clients.
      void this.#announcements.refresh(LISTS);
    } catch (error) {
      if (this.#isClosed || this.#server?.channel !== channel) return;
      end(error instanceof Error ? error : new Error(String(error)));
      await channel.close();
    } finally {
      if (this.#probing === channel) this.#probing = undefined;
    }
  }

  #tooSlow(): Error {
    const waited = `${START_TIMEOUT / 1_000} s`;
    const text = this.#isRemote
      ? `${this.#name} has not answered initialize for ${waited}. Check the address, and that it is an MCP server.`
      : `${this.#name} was stopped: it had not answered initialize for ${waited}. Run it by itself to see what it is waiting for, and whether it speaks MCP.`;
    return new Error(text);
  }

  #restartLater(cause: Error): void {
    if (this.#isClosed) return;
    const delay = restartDelay(this.#failures++);
    const next = this.#isRemote ? 'Retrying' : 'Restarting it';
    this.#log(`${cause.message} ${next} in ${Math.round(delay / 100) / 10} s.`);
    this.#stopRestart = this.#clock.after(delay, () => {
      this.#start().catch((error: unknown) =>
        this.#restartLater(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }

  #take(message: JsonObject, channel: JsonRpcChannel, requests: ServerRequests): void {
    if (requests.take(message)) return;
    const { method } = message;
    const changed = LISTS.find((list) => method === `notifications/${list}/list_changed`);
    if (changed !== undefined && this.#server?.channel === channel)
      void this.#announcements.refresh([changed]);
    if (!isRequest(message)) return;
    // A bridge has no client that could sample, answer or have roots.
    const error = { code: METHOD_NOT_FOUND, message: `A bridge does not pass on ${message.method}.` };
    channel.send(answerTo(message.id, method === 'ping' ? { result: {} } : { error }));
  }

  /** The space reports when it stops waiting for the answer to a call (O-23). */
  #hear({ kind, from, payload: { notice, request } }: Message): void {
    if (kind !== 'system.notice' || from !== GATEWAY || notice !== 'outcome_unknown') return;
    if (typeof request === 'string') this.#calls.declareOverdue(request);
  }

  async #call(name: string, args: JsonObject, { id }: ToolCall): Promise<JsonValue> {
    const session = this.#running();
    const call = () => session.ask('tools/call', { name, arguments: args });
    const answer = await this.#calls.run(id, call).catch((error: unknown) => {
      if (error instanceof OperationFailedError) throw error;
      if (error instanceof NotTakenError)
        throw new OperationFailedError(INTERNAL_ERROR, `${error.message} Nothing was run; try again.`);
      const text = `The outcome of a call to ${name} is unknown: ${error instanceof Error ? error.message : String(error)}`;
      this.#log(text);
      throw outcomeLost(text);
    });
    return resultIn(answer);
  }

  /** Everything that is not about tools only reads, so it can be repeated if the server dies. */
  async #answer({ method, params }: OtherRequest): Promise<JsonValue> {
    const refused = whyNotPassedOn(method);
    if (refused !== undefined) throw new OperationFailedError(METHOD_NOT_FOUND, refused);
    // `_meta` describes the requester, but the server's client is the bridge.
    const { _meta, ...asked } = params;
    const answer = await this.#reads.ask(this.#running(), method, asked).catch((error: unknown) => {
      if (error instanceof OperationFailedError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new OperationFailedError(INTERNAL_ERROR, `${why} There is no answer to ${method}; try again.`);
    });
    return resultIn(answer);
  }

  /** Rejects with an OperationFailedError if there is no server to ask. */
  #running(): ServerSession {
    if (this.#server !== undefined) return this.#server.session;
    throw new OperationFailedError(INTERNAL_ERROR, 'The server is not running; nothing was run.');
  }
}

/** The result in an answer; the server's own error is thrown. */
function resultIn(answer: RpcAnswer): JsonObject {
  if ('error' in answer) throw errorToThrow(answer.error);
  const { resultType = 'complete' } = answer.result;
  if (resultType === 'complete') return answer.result;
  const message = `The server wants something from its client first (${describe(resultType)}), but a bridge has nobody to ask.`;
  throw new OperationFailedError(INTERNAL_ERROR, message);
}
