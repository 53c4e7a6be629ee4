import { defined, type JsonObject } from '@proffer/core/json';
import type { ChannelEvents, JsonRpcChannel } from '../channel/channel.js';
import { createServerChannel } from '../channel/server-channel.js';
import { createShallowChannel } from '../channel/shallow-channel.js';
import {
  answeredId,
  answerIn,
  answerTo,
  INTERNAL_ERROR,
  isRequest,
  plainMessage,
  type RpcId,
} from '../json-rpc.js';
import { withTasks, withWaitTool } from './wait-tool.js';

/** How a client is served until the guard is ready. */
export interface StartupProxy {
  /**
   * Both sides, for the guard to connect: it sees everything that was sent before, and nothing is sent twice.
   */
  readonly front: JsonRpcChannel;
  readonly back: JsonRpcChannel;
  /** Resolves with whether the client stays; false if all it wanted was `server/discover`, and it is gone. */
  readonly wanted: Promise<boolean>;
  /** Whether a client that has sent something is still connected without a guard. */
  readonly isServing: boolean;
  /** There will be no guard: waiting requests are told why. Resolves when either side is gone. */
  fail(why: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Requests that the rules do not apply to, and how a guard changes the answer. Everything else waits for the
 * guard.
 */
const PASSED: ReadonlyMap<string, (result: JsonObject) => JsonObject> = new Map([
  ['initialize', unchanged],
  ['ping', unchanged],
  ['server/discover', withTasks],
  ['tools/list', withWaitTool],
  ['resources/list', unchanged],
  ['resources/templates/list', unchanged],
  ['prompts/list', unchanged],
]);

/** How many messages are kept for the guard; beyond that, senders are not read until it is ready (I-7). */
const MAX_KEPT = 1_000;
const MAX_CHARACTERS = 16_777_216;

/** The maximum length of an id that a guard accepts, in characters. */
const MAX_ID_LENGTH = 100;

/** After this long without a message, a client is assumed to stay, in milliseconds. */
const SILENCE = 250;
/** How long to wait after a `server/discover` was answered: a client that only probes leaves at once. */
const PROBED = 1_000;

/**
 * Sits between a client and a server while a guard starts: handshake and lists pass at once, so that a client need not
 * wait for a gateway, and whatever needs a decision waits. The guard that takes over sees every message from the
 * beginning, and what it passes on again is dropped.
 *
 * Some clients start a server only to ask what it can do, end it, and start it again. They need no guard, so `wanted`
 * says when there is more to do than that.
 */
export function createStartupProxy(client: JsonRpcChannel, server: JsonRpcChannel): StartupProxy {
  const front = createShallowChannel(client);
  const back = createServerChannel(server);
  const kept: { readonly isClient: boolean; readonly message: JsonObject; readonly text?: string }[] = [];
  let keptSize = 0;
  const toldClient = createMessageTally();
  const toldServer = createMessageTally();
  /** Unanswered client requests: how to change the answer, or that it waits. */
  const open = new Map<RpcId, ((result: JsonObject) => JsonObject) | 'waiting'>();
  let toGuard: { readonly front: ChannelEvents; readonly back: ChannelEvents } | undefined;
  let failure: string | undefined;
  let hasSpoken = false;
  const gone: {
    client?: { readonly cause?: Error | undefined };
    server?: { readonly cause?: Error | undefined };
  } = {};
  const { promise: wanted, resolve: decide } = createDeferred<boolean>();
  const { promise: isGone, resolve: tellGone } = createDeferred<void>();
  let quiet = setTimeout(() => decide(true), SILENCE);
  const waitForMore = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(() => decide(true), PROBED);
  };
  const keep = (isClient: boolean, message: JsonObject, text?: string): void => {
    kept.push({ isClient, message, ...defined({ text }) });
    keptSize += text?.length ?? 0;
    if (kept.length >= MAX_KEPT || keptSize >= MAX_CHARACTERS) (isClient ? front : back).pause();
  };

  function fromClient(message: JsonObject, text?: string): void {
    clearTimeout(quiet);
    hasSpoken = true;
    if (message['method'] !== 'server/discover') decide(true);
    if (failure !== undefined) return refuseOrPass(message, failure);
    keep(true, message, text);
    if (mayPass(message)) return pass(message);
    if (isRequest(message)) open.set(message.id, 'waiting');
  }

  function mayPass(message: JsonObject): boolean {
    if (isRequest(message))
      return (
        PASSED.has(message.method) && !open.has(message.id) && String(message.id).length <= MAX_ID_LENGTH
      );
    return answeredId(message) !== undefined || message['method'] === 'notifications/initialized';
  }

  function pass(message: JsonObject): void {
    // Reserialized, like in a guard: a server must not read more in it than was checked here.
    const plain = plainMessage(message);
    if (isRequest(message)) open.set(message.id, PASSED.get(message.method) ?? unchanged);
    // After a failure there will be no guard to repeat it.
    if (failure === undefined) toldServer.add(plain);
    back.send(plain);
  }

  function refuseOrPass(message: JsonObject, why: string): void {
    if (mayPass(message)) return pass(message);
    if (isRequest(message)) refuse(message.id, why);
  }

  function refuse(id: RpcId, why: string): void {
    front.send(answerTo(id, { error: { code: INTERNAL_ERROR, message: why } }));
  }

  function fromServer(message: JsonObject, text?: string): void {
    if (failure === undefined) keep(false, message, text);
    const id = answeredId(message);
    const change = id === undefined ? undefined : open.get(id);
    if (change === 'waiting') return;
    if (id !== undefined) open.delete(id);
    const answer = answerIn(message);
    const isChanged = id !== undefined && change !== undefined && change !== unchanged && 'result' in answer;
    const told = isChanged ? answerTo(id, { result: change(answer.result) }) : message;
    if (failure === undefined) toldClient.add(told);
    front.send(told, isChanged ? undefined : text);
    if (open.size === 0) waitForMore();
  }

  function leave(side: 'client' | 'server', cause: Error | undefined): void {
    gone[side] = { cause };
    clearTimeout(quiet);
    // A client that sent nothing is not probing: problems with the guard have to be visible anyway.
    decide(side === 'server' || !hasSpoken);
    tellGone();
  }

  const reached = back.open({
    onMessage: (message, text) =>
      toGuard === undefined ? fromServer(message, text) : toGuard.back.onMessage(message, text),
    onUnanswered: (id, cause) => toGuard?.back.onUnanswered(id, cause),
    onClose: (cause) => (toGuard === undefined ? leave('server', cause) : toGuard.back.onClose(cause)),
    onDrain: () => toGuard?.back.onDrain(),
  });
  reached.catch((cause: Error) => leave('server', cause));
  void front.open({
    onMessage: (message, text) =>
      toGuard === undefined ? fromClient(message, text) : toGuard.front.onMessage(message, text),
    onUnanswered: () => {},
    onClose: (cause) => (toGuard === undefined ? leave('client', cause) : toGuard.front.onClose(cause)),
    onDrain: () => toGuard?.front.onDrain(),
  });

  let backEvents: ChannelEvents | undefined;
  function takeOver(frontEvents: ChannelEvents): void {
    if (backEvents === undefined) throw new Error('The server is opened before the client.');
    toGuard = { front: frontEvents, back: backEvents };
    for (const { isClient, message, text } of kept.splice(0))
      (isClient ? frontEvents : backEvents).onMessage(message, text);
    if (gone.server !== undefined) backEvents.onClose(gone.server.cause);
    if (gone.client !== undefined) frontEvents.onClose(gone.client.cause);
    front.resume();
    back.resume();
  }

  return {
    front: {
      ...front,
      open: async (events) => takeOver(events),
      send: (message, text) => toldClient.take(message) || front.send(message, text),
    },
    back: {
      ...back,
      async open(events) {
        await reached;
        backEvents = events;
      },
      send: (message, text) => toldServer.take(message) || back.send(message, text),
    },
    wanted,
    get isServing() {
      return hasSpoken && toGuard === undefined && gone.client === undefined && gone.server === undefined;
    },
    async fail(why) {
      failure = why;
      kept.length = 0;
      for (const [id, state] of open) {
        if (state !== 'waiting') continue;
        open.delete(id);
        refuse(id, why);
      }
      front.resume();
      back.resume();
      await isGone;
    },
    async close() {
      clearTimeout(quiet);
      await Promise.allSettled([front.close(), back.close()]);
    },
  };
}

/** A promise and its resolvers: the first call counts. */
function createDeferred<Value>(): {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
} {
  const settling: { resolve?: (value: Value) => void } = {};
  const promise = new Promise<Value>((resolve) => {
    settling.resolve = resolve;
  });
  return { promise, resolve: (value) => settling.resolve?.(value) };
}

function unchanged(result: JsonObject): JsonObject {
  return result;
}

/** Messages that a peer already has; each is dropped once when it comes again. */
interface MessageTally {
  add(message: JsonObject): void;
  /** Whether the peer has this message; counts it off. */
  take(message: JsonObject): boolean;
}

/** Requests and answers are recognised by their id, since an answer may be spelled differently the second time. */
function createMessageTally(): MessageTally {
  const counts = new Map<string, number>();
  return {
    add(message) {
      const key = keyOf(message);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    take(message) {
      if (counts.size === 0) return false;
      const key = keyOf(message);
      const count = counts.get(key);
      if (count === undefined) return false;
      if (count === 1) counts.delete(key);
      else counts.set(key, count - 1);
      return true;
    },
  };
}

function keyOf(message: JsonObject): string {
  if (isRequest(message)) return `request ${typeof message.id} ${message.id}`;
  const id = answeredId(message);
  return id === undefined ? JSON.stringify(message) : `answer ${typeof id} ${id}`;
}

/**
 * Connects a client and a server as if there were no guard, for one that only watches and cannot start (O-50). Resolves when
 * either side is gone.
 */
export async function passOn({ front, back }: Pick<StartupProxy, 'front' | 'back'>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    back
      .open(between(back, front, resolve))
      .then(() => front.open(between(front, back, resolve)))
      .catch(reject);
  });
}

function between(from: JsonRpcChannel, to: JsonRpcChannel, onClose: () => void): ChannelEvents {
  return {
    onMessage(message, text) {
      if (!to.send(message, text)) from.pause();
    },
    onUnanswered: (id, cause) => {
      to.send(answerTo(id, { error: { code: INTERNAL_ERROR, message: cause.message } }));
    },
    onClose,
    onDrain: () => to.resume(),
  };
}
