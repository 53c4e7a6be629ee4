import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import {
  answeredId,
  answerIn,
  notificationOf,
  paramsOf,
  type RpcAnswer,
  type RpcId,
  requestOf,
} from '../json-rpc.js';
import type { JsonRpcChannel } from './channel.js';

interface Asked {
  readonly settle: (answer: RpcAnswer) => void;
  readonly fail: (error: Error) => void;
  readonly onProgress: (params: JsonObject) => void;
}

/** Timeout for a server to answer a request that it was asked to cancel, in milliseconds. */
const TO_STOP = 5_000;

/** How many of our answered requests are remembered. */
const MAX_ANSWERED = 1_000;

/** Options for a request. */
export interface AskOptions {
  /** Called with progress. */
  readonly onProgress?: (params: JsonObject) => void;
  /** Aborted when the answer is no longer wanted: the server is asked to stop, and has 5 s to answer. */
  readonly stopping?: AbortSignal;
}

/** Receives a server's messages about a request before its answer. */
export interface RequestListener extends AskOptions {
  /** Log messages, complete. */
  readonly onLog: (message: JsonObject) => void;
}

/** Makes one request on a channel that is opened and closed for it. */
export async function askOnce(
  channel: JsonRpcChannel,
  request: (id: string) => { readonly method: string; readonly params: JsonObject },
  { onLog, ...options }: RequestListener,
): Promise<RpcAnswer> {
  const requests = new ServerRequests(channel);
  await channel.open({
    onMessage(message) {
      if (!requests.take(message) && message['method'] === 'notifications/message') onLog(message);
    },
    onUnanswered: (id, cause) => void requests.lose(id, cause),
    onClose: (cause = new Error('The server disconnected.')) => requests.end(cause),
    onDrain: () => {},
  });
  try {
    const id = requests.nextId();
    return await requests.ask(id, request(id), options);
  } finally {
    await channel.close();
  }
}

/** Our own requests, not the client's, on a channel to the server. */
export class ServerRequests {
  readonly #channel: JsonRpcChannel;
  readonly #asked = new Map<string, Asked>();
  /** The last answered requests: further messages about them are for nobody else. */
  readonly #answered = new Set<string>();
  /** Other waits that must not outlast the channel. */
  readonly #waiting = new Set<(cause: Error) => void>();
  #end: Error | undefined;

  constructor(channel: JsonRpcChannel) {
    this.#channel = channel;
  }

  /**
   * The id of the next request, which is also its progress token. It never collides with another, and a server cannot
   * tell from it that the request is ours and treat it differently from the client's.
   */
  nextId(): string {
    return randomUUID();
  }

  /** Sends a request; resolves with the answer, rejects if the channel ends first. */
  ask(
    id: string,
    { method, params }: { readonly method: string; readonly params: JsonObject },
    { onProgress = () => {}, stopping }: AskOptions = {},
  ): Promise<RpcAnswer> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((settle, fail) => {
      this.#asked.set(id, { settle, fail, onProgress });
      this.#channel.send(requestOf(id, method, params));
      if (stopping?.aborted === true) this.#stop(id);
      stopping?.addEventListener('abort', () => this.#stop(id), { once: true });
    });
  }

  /** A server that stops need not answer any more. */
  #stop(id: string): void {
    if (!this.#asked.has(id)) return;
    const params = { requestId: id, reason: 'The caller cancelled it.' };
    this.#channel.send(notificationOf('notifications/cancelled', params));
    const cause = new Error(
      'The call was cancelled while it was running, and the server did not report how it ended.',
    );
    setTimeout(() => this.lose(id, cause), TO_STOP).unref();
  }

  /**
   * Settles like another promise; rejects if the channel ends first. Keeps no reference afterwards, unlike
   * racing a promise for the end.
   */
  beforeEnd<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((settle, fail) => {
      if (this.#end !== undefined) fail(this.#end);
      this.#waiting.add(fail);
      void work.then(settle, fail).finally(() => this.#waiting.delete(fail));
    });
  }

  /** Handles a message for us; returns false if it is not. */
  take(message: JsonObject): boolean {
    const id = answeredId(message);
    const token = message['method'] === 'notifications/progress' ? paramsOf(message)['progressToken'] : id;
    if (typeof token !== 'string') return false;
    const asked = this.#asked.get(token);
    if (asked === undefined) return this.#answered.has(token);
    if (id === undefined) {
      asked.onProgress(paramsOf(message));
      return true;
    }
    this.#forget(token);
    if (isJsonObject(message['result']) || isJsonObject(message['error'])) asked.settle(answerIn(message));
    else asked.fail(new Error('The server answered with neither a result nor an error.'));
    return true;
  }

  #forget(id: string): void {
    this.#asked.delete(id);
    this.#answered.add(id);
    const [oldest] = this.#answered;
    if (this.#answered.size > MAX_ANSWERED && oldest !== undefined) this.#answered.delete(oldest);
  }

  /** One of our requests will not be answered; returns false if it is not ours. */
  lose(id: RpcId, cause: Error): boolean {
    const asked = typeof id === 'string' ? this.#asked.get(id) : undefined;
    if (asked === undefined) return false;
    this.#forget(String(id));
    asked.fail(cause);
    return true;
  }

  /** The channel has ended: no more answers will arrive. */
  end(cause: Error): void {
    this.#end = cause;
    for (const fail of this.#waiting) fail(cause);
    for (const { fail } of this.#asked.values()) fail(cause);
    this.#asked.clear();
  }
}
