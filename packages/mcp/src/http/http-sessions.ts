import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { JsonRpcChannel } from '../channel/channel.js';
import type { ForwardedCredential } from '../channel/forwarded-credential.js';
import { createTransportChannel } from '../channel/transport-channel.js';
import type { GuardedConnection } from '../guard/client/index.js';
import type { Guard } from '../guard/guard.js';
import { isRequest, objectAt, paramsOf, type RpcId, type RpcRequest } from '../json-rpc.js';
import { responseLeft } from './answers.js';
import { createEventLog } from './event-log.js';
import { type Carrier, createLeftRequests, type LeftRequests } from './left-requests.js';
import type { UpstreamAuth } from './upstream-auth.js';

export interface HttpSessionsOptions {
  readonly guard: Guard;
  /** A server for one session. */
  readonly open: (credential?: ForwardedCredential) => JsonRpcChannel;
  /**
   * Whether the server gets clients' credentials: a session then continues with a new token that the server
   * accepts.
   */
  readonly upstream?: UpstreamAuth | undefined;
  /** The idle timeout of a session without a request or an open stream, in milliseconds. */
  readonly idle: number;
}

/** One client with a session (2025), and its own server. */
export interface HttpSession {
  /** Answers one request of the session. A held call waits only as long as its caller. */
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
}

/** The start of a session. */
export interface FirstRequest {
  readonly body: unknown;
  /** The name of its token. */
  readonly user?: string;
}

/** The sessions of one front. */
export interface HttpSessions {
  /** The session of a request: only with the credential that opened it. */
  find(id: string, request: Pick<IncomingMessage, 'headers'>): HttpSession | undefined;
  /** Whether a session can be resumed after this event (`Last-Event-ID`). */
  knows(id: string, event: string): boolean;
  /** Whether the maximum number is reached, including those that are just starting. */
  readonly isFull: boolean;
  /** Answers the first request of a session; nothing is kept unless it starts one. */
  begin(request: IncomingMessage, response: ServerResponse, first: FirstRequest): Promise<void>;
}

const MAX_CONNECTIONS = 200;

/** How long clients wait before they resume a broken stream, in milliseconds. */
const RETRY = 1_000;

/** Isolates sessions: each has a server, and calls that only it can join, look up and cancel. */
export function createHttpSessions({ guard, open, idle, upstream }: HttpSessionsOptions): HttpSessions {
  const log = createEventLog();
  const sessions = new Map<string, { readonly session: HttpSession; readonly credential: string }>();
  /** The latest credentials of session clients, as long as the server gets them. */
  const shown = new Map<string, string | undefined>();
  let connections = 0;

  function forget(id: string): void {
    connections--;
    sessions.delete(id);
    shown.delete(id);
    log.forget(id);
  }

  async function connect(
    id: string,
    transport: NodeStreamableHTTPServerTransport,
    { leaving, ...user }: { readonly leaving: Leaving; readonly user?: string },
  ) {
    const related = createRelatedRequests();
    const channel = createTransportChannel(transport, {
      relatedTo: related.relatedTo,
      onMessage: related.note,
      left: async (request) => (await leaving.get(request)) ?? false,
    });
    connections++;
    try {
      const connection = await guard.connect(channel, open(upstream?.forward(() => shown.get(id))), {
        scope: id,
        ...user,
      });
      void connection.closed.then(() => forget(id));
      return connection;
    } catch (error) {
      forget(id);
      throw error;
    }
  }

  return {
    find(id, request) {
      const found = sessions.get(id);
      if (upstream !== undefined && found !== undefined) {
        shown.set(id, request.headers.authorization);
        return found.session;
      }
      return found?.credential === credentialOf(request) ? found.session : undefined;
    },
    knows: (id, event) => log.has(id, event),
    get isFull() {
      return connections >= MAX_CONNECTIONS;
    },
    async begin(request, response, { body, ...user }) {
      const id = randomUUID();
      let isInitialized = false;
      const leaving: Leaving = new Map();
      const left = createLeftRequests({
        carry: (message, carrier) => carryIn(leaving, message, carrier),
        receive: (message) => transport.onmessage?.(message as unknown as JSONRPCMessage),
      });
      const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        eventStore: log.forSession(id, left),
        retryInterval: RETRY,
        onsessioninitialized: () => {
          isInitialized = true;
          sessions.set(id, { session, credential: credentialOf(request) });
        },
      });
      if (upstream !== undefined) shown.set(id, request.headers.authorization);
      const connection = await connect(id, transport, { leaving, ...user });
      const session = createSession(transport, connection, { idle, leaving, left });
      try {
        await session.handle(request, response, body);
      } finally {
        if (!isInitialized) await connection.close();
      }
    },
  };
}

/** A hash, so that no credential is stored. */
function credentialOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return hash('sha256', headers.authorization ?? '', 'hex');
}

/** Whether the responses that carry a session's answers have left, as long as they are open. */
type Leaving = Map<RpcId, Promise<boolean>>;

function createSession(
  transport: NodeStreamableHTTPServerTransport,
  connection: GuardedConnection,
  about: Pick<HttpSessionsOptions, 'idle'> & { readonly leaving: Leaving; readonly left: LeftRequests },
): HttpSession {
  const { idle, leaving, left } = about;
  let open = 0;
  let ending: NodeJS.Timeout | undefined;
  void connection.closed.then(() => clearTimeout(ending));
  return {
    async handle(request, response, body) {
      const messages = messagesIn(body);
      const asked = messages.filter(isRequest);
      // A client that hung up before this gets no answer, and nothing would reveal that later.
      if (response.destroyed && asked.length > 0) return;
      clearTimeout(ending);
      open++;
      const carrier: Carrier = { requests: new Map(), isLeft: responseLeft(response), isOver: false };
      for (const one of asked) carryIn(leaving, one, carrier);
      for (const one of messages) if (one['method'] === CANCELLED) left.forget(paramsOf(one)['requestId']);
      response.once('close', () => {
        left.end(carrier);
        for (const [id, one] of carrier.requests) {
          if (leaving.get(id) === carrier.isLeft) leaving.delete(id);
          // An undeliverable answer is nobody's: a client that hung up may come back within the window.
          if (!response.writableFinished && connection.detach(id)) left.leave(one, carrier);
        }
        if (--open === 0) ending = setTimeout(() => void connection.close(), idle).unref();
      });
      await left.during(carrier, () => transport.handleRequest(request, response, body));
    },
  };
}

/** The answer to a request leaves with this response. */
function carryIn(leaving: Leaving, request: RpcRequest, carrier: Carrier): void {
  carrier.requests.set(request.id, request);
  leaving.set(request.id, carrier.isLeft);
}

const CANCELLED = 'notifications/cancelled';

function messagesIn(body: unknown): readonly JsonObject[] {
  const parsed = body as JsonValue | undefined;
  return (isJsonArray(parsed) ? parsed : [parsed]).filter(isJsonObject);
}

/** The client request that a server message belongs to, as far as visible from outside. */
interface RelatedRequests {
  /** Observes a client message. */
  readonly note: (message: JsonObject) => void;
  /** The request that a message to the client belongs to; `undefined` if none is open. */
  readonly relatedTo: (message: JsonObject) => RpcId | undefined;
}

/** Progress names its request by a token; anything else belongs to the latest request. */
function createRelatedRequests(): RelatedRequests {
  const open = new Map<RpcId, RpcId | undefined>();
  return {
    note(message) {
      if (!isRequest(message)) return;
      const { progressToken } = objectAt(paramsOf(message), '_meta');
      const isToken = typeof progressToken === 'string' || typeof progressToken === 'number';
      open.set(message.id, isToken ? progressToken : undefined);
    },
    relatedTo(message) {
      const { id, method } = message;
      if (method === undefined) {
        if (typeof id === 'string' || typeof id === 'number') open.delete(id);
        return undefined;
      }
      if (method === 'notifications/progress') {
        const { progressToken } = paramsOf(message);
        for (const [request, token] of open) if (token === progressToken) return request;
      }
      return [...open.keys()].at(-1);
    },
  };
}
