import { type Clock, SYSTEM_CLOCK } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import type { ChannelEvents, JsonRpcChannel } from '../../channel/channel.js';
import { NotTakenError } from '../../channel/not-taken.js';
import {
  answeredId,
  isRequest,
  notificationOf,
  objectAt,
  paramsOf,
  type RpcId,
  textAt,
} from '../../json-rpc.js';
import { type Handshake, UpstreamSession } from './upstream-session.js';

export interface ReturningServerOptions {
  /** Opens a new connection to the server each time. */
  readonly openServer: () => JsonRpcChannel;
  readonly clock?: Clock;
  /** Called with each line for the operator. */
  readonly log?: (line: string) => void;
}

/**
 * A message waiting until it is known whether the server knows us; with the reason, if it was not accepted
 * before.
 */
interface Waiting {
  readonly message: JsonObject;
  readonly cause?: Error;
}

/** How many messages may wait before their sender is paused (I-7). */
const MAX_WAITING = 100;

/**
 * A channel to a server over HTTP that outlasts a restart of it (2025: those with sessions). As soon as
 * something fails, it checks whether the session is still known; if not, the next request starts a new one,
 * with what the client said at its beginning. A request that the old session certainly did not accept is sent
 * once more; one for which that is uncertain never is (O-23). Other state of the old session, such as
 * subscriptions, is not restored.
 */
export function createReturningServer(options: ReturningServerOptions): JsonRpcChannel {
  const { openServer, clock = SYSTEM_CLOCK, log = () => {} } = options;
  const sessions = new Set<UpstreamSession>();
  /** Sessions that were replaced, or that did not start. */
  const retired = new Set<UpstreamSession>();
  /** Requests that were sent a second time. */
  const repeated = new Set<RpcId>();
  let told: ChannelEvents | undefined;
  let current: UpstreamSession | undefined;
  let handshake: Handshake | undefined;
  let standing: 'good' | 'doubted' | 'lost' | 'renewing' = 'good';
  let waiting: Waiting[] = [];
  let isClosed = false;

  async function open(): Promise<UpstreamSession> {
    const session = new UpstreamSession(openServer(), clock);
    sessions.add(session);
    await session.open({
      onMessage(message, text) {
        const id = answeredId(message);
        if (id !== undefined) repeated.delete(id);
        if (id !== undefined && id === handshake?.initialize['id'])
          handshake = agreed(handshake, objectAt(message, 'result'));
        told?.onMessage(message, text);
        endIfDone(session);
      },
      onUnanswered: (request, cause) => lose(session, request, cause),
      onFault: () => void doubt(session),
      onClose(cause) {
        if (session === current) told?.onClose(cause);
      },
      onDrain: () => told?.onDrain(),
    });
    return session;
  }

  function lose(session: UpstreamSession, request: JsonObject & { readonly id: RpcId }, cause: Error): void {
    const { id } = request;
    const isUnharmed =
      cause instanceof NotTakenError && handshake?.version !== undefined && isRequest(request);
    if (isUnharmed && !repeated.has(id)) waiting.push({ message: request, cause });
    else {
      repeated.delete(id);
      told?.onUnanswered(id, cause);
    }
    if (standing === 'lost' && waiting.length > 0 && handshake !== undefined) void renew(handshake);
    else if (session === current) void doubt(session);
    else if (standing === 'good') sendWaiting({ isAnother: true });
    endIfDone(session);
  }

  /** Waiting messages are not sent at all; those of a session are cancelled there and not sent to another. */
  function callOff(message: JsonObject, id: RpcId): void {
    const place = waiting.findIndex(({ message: one }) => isRequest(one) && one.id === id);
    if (place !== -1) {
      waiting.splice(place, 1);
      return;
    }
    repeated.delete(id);
    const holder = [...sessions].find((session) => session.has(id));
    if (holder !== undefined) {
      holder.send(message);
      endIfDone(holder);
    } else if (standing === 'good') current?.send(message);
  }

  /** The session gets no more requests, and lasts until its last request is answered. */
  function retire(session: UpstreamSession): void {
    retired.add(session);
    endIfDone(session);
  }

  function endIfDone(session: UpstreamSession): void {
    if (!session.isIdle || !retired.delete(session)) return;
    sessions.delete(session);
    void session.channel.close();
  }

  async function doubt(session: UpstreamSession): Promise<void> {
    if (session !== current || standing !== 'good' || handshake?.version === undefined) return;
    standing = 'doubted';
    try {
      await session.check();
      standing = 'good';
      sendWaiting({ isAnother: false });
    } catch {
      standing = 'lost';
      if (waiting.length > 0) await renew(handshake);
    }
  }

  async function renew(known: Handshake): Promise<void> {
    if (isClosed) return;
    standing = 'renewing';
    const old = current;
    let session: UpstreamSession | undefined;
    try {
      session = await open();
      const lists = await session.begin(known);
      if (isClosed) return retire(session);
      current = session;
      standing = 'good';
      log('The server no longer knew the session (it may have restarted), so a new one was started.');
      // The server may be another one by now.
      for (const list of lists) told?.onMessage(notificationOf(`notifications/${list}/list_changed`, {}));
      sendWaiting({ isAnother: true });
      if (old !== undefined) retire(old);
    } catch (error) {
      standing = 'lost';
      if (session !== undefined) retire(session);
      refuseWaiting(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param isAnother - whether this is a different session from the one that rejected some of them */
  function sendWaiting({ isAnother }: { readonly isAnother: boolean }): void {
    const messages = waiting;
    waiting = [];
    for (const { message, cause } of messages) {
      if (cause !== undefined && isRequest(message)) {
        if (isAnother) repeated.add(message.id);
        else told?.onUnanswered(message.id, cause);
      }
      if (cause === undefined || isAnother) current?.send(message);
    }
    told?.onDrain();
  }

  /** None of it was sent or accepted. */
  function refuseWaiting(why: string): void {
    const messages = waiting;
    waiting = [];
    for (const { message } of messages) {
      if (isRequest(message)) told?.onUnanswered(message.id, new NotTakenError(why));
    }
    told?.onDrain();
  }

  return {
    async open(events) {
      told = events;
      current = await open();
    },
    send(message) {
      const { method } = message;
      if (method === 'initialize') {
        handshake = { initialize: message };
        standing = 'good';
      }
      if (method === 'notifications/initialized' && handshake !== undefined)
        handshake = { ...handshake, initialized: message };
      const { requestId } = method === 'notifications/cancelled' ? paramsOf(message) : {};
      if (typeof requestId === 'string' || typeof requestId === 'number') {
        callOff(message, requestId);
        return waiting.length < MAX_WAITING;
      }
      if (standing === 'good' || handshake === undefined) {
        current?.send(message);
        return true;
      }
      waiting.push({ message });
      if (standing === 'lost') void renew(handshake);
      return waiting.length < MAX_WAITING;
    },
    pause: () => current?.channel.pause(),
    resume: () => current?.channel.resume(),
    async close() {
      const all = [...sessions];
      sessions.clear();
      isClosed = true;
      current = undefined;
      await Promise.all(all.map(({ channel }) => channel.close()));
    },
  };
}

function agreed(handshake: Handshake, result: JsonObject): Handshake {
  const version = textAt(result, 'protocolVersion');
  return version === '' ? handshake : { ...handshake, version };
}
