import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { JsonRpcChannel } from '../../channel/channel.js';
import { httpStatusOf, NotTakenError } from '../../channel/not-taken.js';
import { ServerRequests } from '../../channel/server-requests.js';
import {
  answeredId,
  answerIn,
  answerTo,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRequest,
  objectAt,
  paramsOf,
  type RpcAnswer,
  type RpcId,
  type RpcRequest,
} from '../../json-rpc.js';
import { aboutConnection, clientIn } from '../call-identity.js';
import type { PendingCalls } from '../calls/index.js';
import { type DecisionRecords, denySubject } from '../decisions/index.js';
import type { GuardSettings } from '../guard-settings.js';
import { serverInfoIn } from '../server/index.js';
import { FollowedTasks, TaskHandling, type TaskHandlingOptions } from '../tasks/index.js';
import { type GuardedToolCall, transportMeta } from '../tool-call.js';
import { type Toolbook, ToolListing } from '../tools/index.js';
import { OWN_TOOLS, toolsIn, withTasks, withWaitTool } from '../wait-tool.js';

import { CallHandling } from './call-handling.js';
import { isUnwanted, readClientMessage } from './client-message.js';
import { type CallHandlingOptions, Holding } from './holding.js';

export interface GuardedConnectionOptions {
  readonly front: JsonRpcChannel;
  readonly back: JsonRpcChannel;
  readonly settings: GuardSettings;
  readonly pendingCalls: PendingCalls;
  readonly toolbook: Toolbook;
  readonly records: DecisionRecords;
  /**
   * For a connection that ends with its single request: the server that an approved call runs on, so that it
   * outlives the last caller. Default: the connection's own.
   */
  readonly runOn?: () => JsonRpcChannel;
  /** The scope of its calls: only connections of the same scope join, look up and cancel a call. */
  readonly scope?: string;
  /** The person behind the client, or the name of its token, if known. */
  readonly user?: string;
  /** The connected participants who could approve a call. */
  readonly approvers: () => readonly string[];
  /** Accepts a counter-offer by its id (O-40). */
  readonly accept: (counter: string) => Promise<unknown>;
  readonly principal: string;
  /** Called with the `_meta` of each call that is asked about. */
  readonly noticeMeta: (meta: JsonObject) => void;
}

/** How long a call waits for the list of tools, in milliseconds. */
const LIST_PATIENCE = 10_000;

/**
 * One client, one server, and every message between them: passed on unchanged, except for tool calls, which
 * the rules check, and tool lists, which are remembered.
 */
export class GuardedConnection {
  /** Resolves when the connection has ended, whichever side ended it. */
  readonly closed: Promise<void>;
  readonly #options: GuardedConnectionOptions;
  readonly #requests: ServerRequests;
  readonly #calls: CallHandling;
  readonly #holding: Holding;
  readonly #tasks: TaskHandling;
  readonly #listing: ToolListing;
  readonly #followed = new FollowedTasks();
  /** Client requests whose answers are examined on their way back. */
  readonly #watched = new Map<RpcId, (answer: RpcAnswer) => RpcAnswer>();
  /** Client requests that the server has not answered, and who gets the answer. */
  readonly #open = new Map<RpcId, ((result: JsonObject) => void) | undefined>();
  /** What the guard itself knows about the client. */
  readonly #about: Origin;
  /** The client's own description. */
  #client: Origin = {};
  /** The request whose answer has the server's name for itself. */
  #introduction: RpcId | undefined;
  #isClosed = false;
  #isClientGone = false;
  #onClosed: () => void = () => {};

  constructor(options: GuardedConnectionOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#onClosed = resolve;
    });
    const { front, back, pendingCalls, user, runOn } = options;
    this.#about = aboutConnection(user, runOn === undefined);
    this.#requests = new ServerRequests(back);
    const on = runOn === undefined ? this : undefined;
    this.#listing = new ToolListing({ ...options, ...options.settings, requests: this.#requests, on });
    const send = (message: JsonObject): boolean => {
      front.send(message);
      // Asked afterwards: the front may learn it from this very message.
      return !this.#isClientGone;
    };
    const tell: CallHandlingOptions['tell'] = (id, answer) =>
      send(answerTo(id, answer)) && (front.left?.(id) ?? true);
    const forward = (request: RpcRequest, onResult?: (result: JsonObject) => void): void =>
      this.#toServer(request, onResult);
    const about = { origin: this.#origin, requests: this.#requests, followed: this.#followed };
    const handling = { ...options, ...about, send, tell, forward };
    this.#holding = new Holding(handling);
    this.#calls = new CallHandling(handling, this.#holding);
    const find = (id: string) => pendingCalls.find(id, options.scope);
    const change: TaskHandlingOptions['change'] = (id, changed) => void this.#watched.set(id, changed);
    const { followed, holding } = { followed: this.#followed, holding: this.#holding };
    this.#tasks = new TaskHandling({ find, followed, holding, tell, forward, change });
  }

  /** Opens both sides. Rejects if the server cannot be reached. */
  async open(): Promise<void> {
    const { front, back } = this.#options;
    await back.open({
      onMessage: (message, text) => this.#fromServer(message, text),
      onUnanswered: (id, cause) => {
        if (this.#requests.lose(id, cause)) return;
        const isCall = this.#open.get(id) !== undefined;
        this.#watched.delete(id);
        this.#open.delete(id);
        this.#toClient(answerTo(id, { error: errorForLost(cause, isCall) }));
      },
      onClose: (cause) => void this.close(cause ?? new Error('The server disconnected.')),
      onDrain: () => front.resume(),
    });
    await front.open({
      onMessage: (message, text) => this.#fromClient(message, text),
      onUnanswered: () => {},
      onClose: () => {
        this.#isClientGone = true;
        void this.close();
      },
      onDrain: () => back.resume(),
    });
  }

  /**
   * Ends both sides. Running calls then have an unknown outcome, which their callers still learn, unless the client
   * went away: then it is kept for whoever repeats the call.
   *
   * @param cause - why, if it was the server that went away
   */
  async close(cause?: Error): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listing.close();
    const { front, back } = this.#options;
    this.#requests.end(cause ?? new Error('The connection was closed.'));
    // Failures are reported to the client before its side is closed.
    await new Promise((resolve) => setImmediate(resolve));
    if (cause !== undefined) this.#tellWaiting(`${cause.message} Nothing was run.`);
    this.#holding.close();
    this.#options.toolbook.forget(this);
    // From here on nothing reaches the client, so nothing counts as delivered.
    this.#isClientGone = true;
    await Promise.allSettled([front.close(), back.close()]);
    this.#onClosed();
  }

  /** Ends the requests that still wait for a decision. */
  #tellWaiting(message: string): void {
    for (const id of this.#holding.held.ids())
      this.#toClient(answerTo(id, { error: { code: INTERNAL_ERROR, message } }));
  }

  /**
   * The caller of a request is gone: if the request is held, it has no caller until one returns.
   *
   * @returns whether it was held, and so is not answered any more
   */
  detach(id: RpcId): boolean {
    return this.#holding.held.cancel(id);
  }

  #fromClient(given: JsonObject, text?: string): void {
    const read = readClientMessage(given, text);
    if (read.kind === 'other') return this.#notified(read.message);
    if (read.kind === 'refused') return this.#refused(read.answer);
    const { id } = read.kind === 'call' ? read : read.request;
    // An answer with this id would be taken for that of the open request.
    if (this.#open.has(id) || this.#holding.held.has(id)) return this.#refused(ID_IN_USE);
    if (this.#open.size + this.#holding.held.size >= MAX_OPEN)
      return this.#toClient(answerTo(id, { error: { code: INTERNAL_ERROR, message: TOO_MANY } }));
    if (read.kind === 'call') return this.#called(id, read.call);
    const { request } = read;
    const { method } = request;
    if (method.startsWith('tasks/') && this.#tasks.take(request)) return;
    if (method === 'initialize') this.#client = clientIn(paramsOf(request));
    if (method === 'initialize' || method === 'server/discover') this.#introduction = id;
    const denied = denySubject({ ...this.#options, origin: this.#origin }, request);
    const isWatching = this.#options.settings.isWatching();
    if (denied !== undefined)
      this.#options.records.note({ ...denied.ruled, ...(isWatching ? { watched: {} } : {}) });
    if (denied !== undefined && !isWatching) {
      return this.#toClient(answerTo(id, { error: denied.error }));
    }
    if (method === 'tools/list') {
      const isContinued = paramsOf(request)['cursor'] !== undefined;
      this.#watched.set(
        id,
        inResult((result) => this.#listed(result, isContinued)),
      );
    }
    if (method === 'server/discover') this.#watched.set(id, inResult(withTasks));
    this.#toServer(request);
  }

  /**
   * On whose behalf a call is made: the client by its own name, its user, and the session of this connection.
   */
  readonly #origin = (params: JsonObject): Origin | undefined => {
    const known = { ...this.#client, ...clientIn(params), ...this.#about };
    return Object.keys(known).length === 0 ? undefined : known;
  };

  #refused(answer: JsonObject | undefined): void {
    if (answer !== undefined) this.#toClient(answer);
  }

  #notified(message: JsonObject): void {
    const { method } = message;
    if (method === 'notifications/cancelled') {
      const params = paramsOf(message);
      const { requestId } = params;
      const isId = typeof requestId === 'string' || typeof requestId === 'number';
      if (isId && this.#holding.held.cancel(requestId, isUnwanted(params))) return;
      if (isId) {
        this.#watched.delete(requestId);
        this.#open.delete(requestId);
      }
    }
    this.#toServer(this.#followed.toServer(message));
    if (method === 'notifications/initialized') void this.#listing.read({});
  }

  /** The server's tools must be known before the rules can judge them. */
  #called(id: RpcId, call: GuardedToolCall): void {
    const { toolbook } = this.#options;
    const isKnown = toolbook.definition(call.tool) !== undefined && !this.#listing.isReading;
    if (isKnown || OWN_TOOLS.has(call.tool)) return this.#calls.take(id, call);
    const meta = transportMeta(objectAt(call.params, '_meta'));
    const { clock } = this.#options.settings;
    // A server that does not list its tools still gets calls, as calls of unknown tools.
    const patience = new Promise<void>((resolve) => clock.after(LIST_PATIENCE, resolve));
    this.#calls.takeAfter(Promise.race([this.#listing.read(meta), patience]), id, call);
  }

  #fromServer(message: JsonObject, text?: string): void {
    if (this.#requests.take(message)) return;
    const id = answeredId(message);
    // A server cannot answer what it was not asked.
    if (id !== undefined && this.#holding.held.has(id)) return;
    if (id !== undefined && id === this.#introduction)
      this.#options.toolbook.introduce(serverInfoIn(message));
    if (id !== undefined) {
      this.#open.get(id)?.(objectAt(message, 'result'));
      this.#open.delete(id);
    }
    const change = id === undefined ? undefined : this.#watched.get(id);
    if (id !== undefined && change !== undefined) {
      this.#watched.delete(id);
      return this.#toClient(answerTo(id, change(answerIn(message))));
    }
    if (message['method'] === 'notifications/tools/list_changed') void this.#listing.read({}, true);
    const renamed = this.#followed.toClient(message);
    this.#toClient(renamed, renamed === message ? text : undefined);
  }

  #listed(result: JsonObject, isContinued: boolean): JsonObject {
    const { toolbook, runOn, settings } = this.#options;
    // Clients with single requests cannot be told apart.
    const viewing = { isContinued, ...(runOn === undefined ? { by: this, on: this } : {}) };
    toolbook
      .learn(toolsIn(result), viewing)
      .catch((error: unknown) => settings.log(`The tools could not be stored: ${String(error)}`));
    return withWaitTool(result);
  }

  #toServer(message: JsonObject, onResult?: (result: JsonObject) => void): void {
    if (isRequest(message)) this.#open.set(message.id, onResult);
    if (!this.#options.back.send(message)) this.#options.front.pause();
  }

  #toClient(message: JsonObject, text?: string): void {
    if (!this.#options.front.send(message, text)) this.#options.back.pause();
  }
}

/** Changes an answer that is a result; an error stays unchanged. */
function inResult(change: (result: JsonObject) => JsonObject): (answer: RpcAnswer) => RpcAnswer {
  return (answer) => ('result' in answer ? { result: change(answer.result) } : answer);
}

/**
 * The client's error for a request that the server will not answer; for a call, also whether it may have run
 * (O-23).
 */
function errorForLost(cause: Error, isCall: boolean): JsonObject {
  const { message } = cause;
  if (!isCall) {
    const httpStatus = httpStatusOf(cause);
    return { code: INTERNAL_ERROR, message, ...(httpStatus === undefined ? {} : { data: { httpStatus } }) };
  }
  if (cause instanceof NotTakenError)
    return { code: INTERNAL_ERROR, message: `${message} Nothing was run; call again.` };
  const text = `${message} The outcome is unknown: it may or may not have run. It is not run again automatically.`;
  return { code: INTERNAL_ERROR, message: text, data: { outcome: 'unknown' } };
}

/** The answer to a request whose id belongs to another open request. */
const ID_IN_USE: JsonObject = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: INVALID_REQUEST,
    message: 'A request with this id is already open. Give each request its own id.',
  },
};

/** The maximum number of unanswered requests of a client (I-7), and the refusal of any more. */
const MAX_OPEN = 10_000;
const TOO_MANY = `Nothing was done: ${MAX_OPEN} requests of this connection are still unanswered. Wait for some of them, or cancel some.`;
