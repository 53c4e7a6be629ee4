import type { JsonObject } from '@proffer/core';
import type { Channel } from '../channel/channel.js';
import {
  answeredId,
  answerIn,
  answerTo,
  INTERNAL_ERROR,
  isRequest,
  objectAt,
  paramsOf,
  plainMessage,
  type RpcAnswer,
  type RpcId,
  type RpcRequest,
} from '../json-rpc.js';
import { CallHandling } from './call-handling.js';
import { withTasks } from './discovery.js';
import type { Docket } from './docket.js';
import type { GuardSettings } from './guard-settings.js';
import { ServerRequests } from './server-requests.js';
import { TaskHandling } from './task-handling.js';
import type { Toolbook } from './toolbook.js';
import { toolsIn, withWaitTool } from './wait-tool.js';

export interface GuardedConnectionOptions {
  readonly front: Channel;
  readonly back: Channel;
  readonly settings: GuardSettings;
  readonly docket: Docket;
  readonly toolbook: Toolbook;
  /**
   * For a connection that is over with its one request: the server that an approved call runs on, so that
   * it does not end with whoever asked last. Default the connection's own.
   */
  readonly runOn?: () => Channel;
  /** The names of those who could approve a call, as far as they are connected. */
  readonly approvers: () => readonly string[];
  readonly principal: string;
}

/** Pages of `tools/list` that are read, at most: a server that never ends its list gets no further. */
const MOST_PAGES = 100;

/** How long a call waits for the list of tools, in milliseconds. */
const LIST_PATIENCE = 10_000;

/**
 * One client and one server, and every message between them: passed on as it is, except for calls of
 * tools, which the rules look at, and lists of tools, which are remembered.
 */
export class GuardedConnection {
  /** Settles when the connection is over, whichever side ended it. */
  readonly closed: Promise<void>;
  readonly #options: GuardedConnectionOptions;
  readonly #requests: ServerRequests;
  readonly #calls: CallHandling;
  readonly #tasks: TaskHandling;
  /** Requests of the client whose results are looked at on their way back. */
  readonly #watched = new Map<RpcId, (result: JsonObject) => JsonObject>();
  #listing: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;
  #onClosed: () => void = () => {};

  constructor(options: GuardedConnectionOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#onClosed = resolve;
    });
    const { front, back, docket } = options;
    this.#requests = new ServerRequests(back);
    const send = (message: JsonObject): void => void front.send(message);
    const forward = (request: RpcRequest): void => this.#toServer(request);
    this.#calls = new CallHandling({ ...options, requests: this.#requests, send, forward });
    this.#tasks = new TaskHandling({ docket, calls: this.#calls, send, forward });
  }

  /** Opens both sides. Fails if the server cannot be reached. */
  async open(): Promise<void> {
    const { front, back } = this.#options;
    await back.open({
      onMessage: (message, text) => this.#fromServer(message, text),
      onUnanswered: (id, cause) => {
        if (this.#requests.lose(id, cause)) return;
        this.#watched.delete(id);
        this.#toClient(answerTo(id, { error: { code: INTERNAL_ERROR, message: cause.message } }));
      },
      onClose: (cause) => void this.close(cause ?? new Error('The server went away.')),
      onDrain: () => front.resume(),
    });
    await front.open({
      onMessage: (message) => this.#fromClient(plainMessage(message)),
      onUnanswered: () => {},
      onClose: () => void this.close(),
      onDrain: () => back.resume(),
    });
  }

  /**
   * Ends both sides. What runs has an unknown outcome then, which its callers still hear.
   *
   * @param cause - why, if it was the server that went away
   */
  async close(cause?: Error): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { front, back } = this.#options;
    this.#requests.end(cause ?? new Error('The connection was closed.'));
    // What fails now is told to the client before its side is closed.
    await new Promise((resolve) => setImmediate(resolve));
    this.#calls.close();
    await Promise.allSettled([front.close(), back.close()]);
    this.#onClosed();
  }

  #fromClient(message: JsonObject): void {
    if (!isRequest(message)) return this.#notified(message);
    const { method } = message;
    if (method === 'tools/call') return this.#called(message);
    if (method.startsWith('tasks/') && this.#tasks.take(message)) return;
    if (method === 'tools/list') this.#watched.set(message.id, (result) => this.#listed(result));
    if (method === 'server/discover') this.#watched.set(message.id, withTasks);
    this.#toServer(message);
  }

  #notified(message: JsonObject): void {
    const { method } = message;
    if (method === 'notifications/cancelled') {
      const { requestId } = paramsOf(message);
      const isId = typeof requestId === 'string' || typeof requestId === 'number';
      if (isId && this.#calls.cancel(requestId)) return;
      if (isId) this.#watched.delete(requestId);
    }
    this.#toServer(message);
    if (method === 'notifications/initialized') void this.#list({});
  }

  /** What the server's tools are has to be known before the rules can say anything about them. */
  #called(request: RpcRequest): void {
    const { toolbook } = this.#options;
    const { name } = paramsOf(request);
    if (typeof name === 'string' && toolbook.definition(name) !== undefined && this.#listing === undefined) {
      this.#calls.take(request);
      return;
    }
    const meta = objectAt(paramsOf(request), '_meta');
    const { progressToken: _own, ...rest } = meta;
    const { clock } = this.#options.settings;
    // A server that does not list its tools still gets calls of them, as calls of tools that nobody knows.
    const patience = new Promise<void>((resolve) => clock.after(LIST_PATIENCE, resolve));
    void this.#calls.takeAfter(Promise.race([this.#list(rest), patience]), request);
  }

  #fromServer(message: JsonObject, text?: string): void {
    if (this.#requests.take(message)) return;
    const id = answeredId(message);
    const change = id === undefined ? undefined : this.#watched.get(id);
    if (id !== undefined && change !== undefined) {
      this.#watched.delete(id);
      const answer = answerIn(message);
      const changed: RpcAnswer = 'result' in answer ? { result: change(answer.result) } : answer;
      return this.#toClient(answerTo(id, changed));
    }
    if (message['method'] === 'notifications/tools/list_changed') void this.#list({}, true);
    this.#toClient(message, text);
  }

  #listed(result: JsonObject): JsonObject {
    void this.#options.toolbook.learn(toolsIn(result));
    return withWaitTool(result);
  }

  /** Reads the whole list for ourselves; once more after that if it changed in the meantime. */
  #list(meta: JsonObject, isChanged = false): Promise<void> {
    if (this.#listing !== undefined) {
      this.#isStale ||= isChanged;
      return this.#listing;
    }
    this.#listing = this.#readUntilFresh(meta).finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  async #readUntilFresh(meta: JsonObject): Promise<void> {
    do {
      this.#isStale = false;
      await this.#readList(meta);
    } while (this.#isStale && !this.#isClosed);
  }

  async #readList(meta: JsonObject): Promise<void> {
    let cursor: JsonObject = {};
    const found: JsonObject[] = [];
    try {
      for (let page = 0; page < MOST_PAGES; page++) {
        const params = { ...cursor, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
        const answer = await this.#requests.ask(this.#requests.nextId(), { method: 'tools/list', params });
        if ('error' in answer) break;
        found.push(...toolsIn(answer.result));
        const { nextCursor } = answer.result;
        if (typeof nextCursor !== 'string') break;
        cursor = { cursor: nextCursor };
      }
      await this.#options.toolbook.learn(found);
    } catch (error) {
      this.#options.settings.log(`The tools could not be listed: ${String(error)}`);
    }
  }

  #toServer(message: JsonObject): void {
    if (!this.#options.back.send(message)) this.#options.front.pause();
  }

  #toClient(message: JsonObject, text?: string): void {
    if (!this.#options.front.send(message, text)) this.#options.back.pause();
  }
}
