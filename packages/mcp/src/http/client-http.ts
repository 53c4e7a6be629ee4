import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  classifyInboundRequest,
  isInitializeRequest,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { defined, isJsonObject, type JsonValue, objectOf, parseJson } from '@proffer/core/json';
import type { JsonRpcChannel } from '../channel/channel.js';
import type { ForwardedCredential } from '../channel/forwarded-credential.js';
import { MAX_LEVELS } from '../channel/shallow-channel.js';
import type { Guard } from '../guard/guard.js';
import {
  INVALID_PARAMS,
  isRequest,
  objectAt,
  PARSE_ERROR,
  paramsOf,
  type RpcId,
  textAt,
} from '../json-rpc.js';
import { answerJson, refuse } from './answers.js';
import { createExchange } from './exchange.js';
import { headerMismatch } from './header-mismatch.js';
import { createHttpSessions } from './http-sessions.js';
import { pointTo, type UpstreamAuth, WELL_KNOWN } from './upstream-auth.js';

/** A presented token, with its name, if it has one. */
interface ShownToken {
  readonly name?: string;
}

/** `NAME:TOKEN`. HTTP tokens contain no colon (RFC 6750). */
const NAMED = /^([^:]+):(.+)$/;

/**
 * The token that a request presents, or nothing if it presents none of these. Compared as hashes, with each
 * one, so that timing reveals nothing about the tokens.
 *
 * @param tokens - each a token, or `NAME:TOKEN`
 */
function shownToken(
  { headers }: Pick<IncomingMessage, 'headers'>,
  tokens: readonly string[],
): ShownToken | undefined {
  const shown = hash(headers.authorization ?? '');
  const [found] = tokens.flatMap((text): readonly ShownToken[] => {
    const [, name, token = text] = NAMED.exec(text) ?? [];
    if (!timingSafeEqual(shown, hash(`Bearer ${token}`))) return [];
    return [defined({ name })];
  });
  return found;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

/**
 * Distinguishes clients without sessions (2026-07-28): by their credential, and by the name they send with
 * every request. The same client has the same scope in all its requests, also after a restart of either side;
 * its version is left out, so that an update does not separate it from its tasks. Two with the same
 * credential and the same name cannot be told apart.
 */
function clientScope({ headers }: Pick<IncomingMessage, 'headers'>, body: unknown): string {
  const params = isJsonObject(body) ? paramsOf(body) : {};
  const name = textAt(objectAt(objectAt(params, '_meta'), CLIENT_INFO_KEY), 'name');
  const identity = JSON.stringify([headers.authorization ?? '', name]);
  return `client ${createHash('sha256').update(identity).digest('hex')}`;
}

export interface ClientHttpOptions {
  readonly guard: Guard;
  /** On 127.0.0.1; 0 means any free port. */
  readonly port: number;
  /** A server for one client session. */
  readonly openSession: (credential?: ForwardedCredential) => JsonRpcChannel;
  /** A server for one request of a revision without sessions. */
  readonly openExchange: (credential?: ForwardedCredential) => JsonRpcChannel;
  /**
   * Lets clients authorize with the server behind: it gets their `Authorization`, and they get its response
   * to that. Not together with `tokens`, which are only for the guard. Default: the server gets none.
   */
  readonly upstream?: UpstreamAuth;
  readonly log: (line: string) => void;
  /**
   * Clients must present one of these, as `Authorization: Bearer TOKEN`. Each may be written `NAME:TOKEN`:
   * then reviewers see the name as the user. Default: none is required.
   */
  readonly tokens?: readonly string[];
  /**
   * The idle timeout of a session without a request or an open stream, in milliseconds. Default: half an
   * hour.
   */
  readonly idle?: number;
}

/** A guard served over Streamable HTTP. */
export interface ClientHttp {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const IDLE = 30 * 60_000;

/** Explains a challenge of the server. */
const CHALLENGED = {
  401: 'The server behind this guard requires you to authenticate.',
  403: 'The server behind this guard requires a token with more rights for your last request.',
} as const;

/** MCP: headers and body of a request disagree. */
const HEADER_MISMATCH = -32_020;

/**
 * Serves clients over Streamable HTTP on this machine: those with sessions (2025), each with its own server,
 * and those without (2026-07-28). Answers only requests with a local Host and Origin, so that no web page can
 * reach it. Resolves when it listens; rejects with the system's error if it cannot.
 */
export async function startClientHttp(options: ClientHttpOptions): Promise<ClientHttp> {
  const { guard, openSession, idle = IDLE, upstream } = options;
  if (upstream !== undefined && options.tokens !== undefined)
    throw new Error('The tokens of the guard are not for the server: use either tokens or upstream.');
  await guard.runCallsOn(() => options.openExchange());
  const sessions = createHttpSessions({ guard, open: openSession, idle, upstream });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.log(`A request failed: ${error instanceof Error ? error.message : String(error)}`);
      if (!response.headersSent) refuse(response, 500, 'Internal error.');
      else response.destroy();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = checkRequest(request, upstream !== undefined);
    if (refused !== undefined) return refuse(response, ...refused);
    if (upstream !== undefined && isForMetadata(request))
      return answerJson(response, 200, await upstream.metadata(origin() + PATH));
    const token = options.tokens === undefined ? {} : shownToken(request, options.tokens);
    if (token === undefined) {
      response.setHeader('www-authenticate', 'Bearer');
      return refuse(
        response,
        401,
        'The token is missing or wrong: send it as "Authorization: Bearer TOKEN".',
      );
    }
    const challenge = await upstream?.challengeFor(request.headers.authorization);
    if (challenge !== undefined) {
      const { status, text } = challenge;
      response.setHeader('www-authenticate', pointTo(text, origin() + WELL_KNOWN + PATH));
      return refuse(response, status, CHALLENGED[status]);
    }
    const body = request.method === 'POST' ? await readBody(request) : { value: undefined };
    if ('problem' in body) return refuse(response, body.status, body.problem, { code: body.code });
    const id = isJsonObject(body.value) && isRequest(body.value) ? body.value.id : undefined;
    const outcome = classifyInboundRequest({
      httpMethod: request.method ?? 'GET',
      ...header(request, 'mcp-protocol-version', 'protocolVersionHeader'),
      ...header(request, 'mcp-method', 'mcpMethodHeader'),
      ...header(request, 'mcp-name', 'mcpNameHeader'),
      body: body.value,
    });
    if (outcome.kind === 'reject') {
      const { httpStatus, code, message, data } = outcome;
      return refuse(response, httpStatus, message, { code, data, id });
    }
    const user = defined({ user: token.name });
    const received = { request, response, body: body.value, id, ...user };
    if (outcome.kind === 'modern') return await exchange(received);
    await session(received);
  }

  /** One message, one response; closing it cancels the request. */
  async function exchange({ request, response, body, id, ...user }: Received): Promise<void> {
    const message = objectOf(body);
    const wrong =
      isRequest(message) && headerMismatch(message, request.headers, (tool) => guard.inputSchema(tool));
    if (wrong) return refuse(response, 400, wrong, { code: HEADER_MISMATCH, id });
    const one = createExchange(message, response);
    const credential = upstream?.forward(() => request.headers.authorization);
    const connection = await options.guard.connect(one.channel, options.openExchange(credential), {
      runOn: () => options.openExchange(credential),
      scope: clientScope(request, body),
      ...user,
    });
    try {
      await one.run();
    } finally {
      await connection.close();
    }
  }

  async function session({ request, response, body, id, ...user }: Received): Promise<void> {
    const session = request.headers['mcp-session-id'];
    const known = typeof session === 'string' ? sessions.find(session, request) : undefined;
    const last = request.headers['last-event-id'];
    if (known !== undefined && typeof last === 'string' && !sessions.knows(String(session), last))
      return refuse(
        response,
        400,
        'This event is no longer kept, or belongs to another session: repeat the request.',
      );
    if (known !== undefined) return await known.handle(request, response, body);
    if (typeof session === 'string')
      return refuse(response, 404, 'Session not found.', { code: -32_001, id });
    if (!isInitializeRequest(body))
      return refuse(response, 400, 'The first request of a session must be initialize.', { id });
    if (sessions.isFull)
      return refuse(response, 503, 'There are too many sessions. Close one, or try again later.', { id });
    await sessions.begin(request, response, { body, ...user });
  }

  await listen(server, options.port);
  return {
    url: origin() + PATH,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A request with its body, and the name of its token. */
interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: JsonValue | undefined;
  /** Of the request in the body, if it is one. */
  readonly id: RpcId | undefined;
  readonly user?: string;
}

type Refused = readonly [status: number, message: string];

function isForMetadata({ url = '', method }: IncomingMessage): boolean {
  return method === 'GET' && url.startsWith(WELL_KNOWN);
}

function checkRequest(request: IncomingMessage, hasMetadata: boolean): Refused | undefined {
  const { headers, url, method } = request;
  const host = validateHostHeader(headers.host, localhostAllowedHostnames());
  if (!host.ok) return [403, host.message];
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  if (!origin.ok) return [403, origin.message];
  if (hasMetadata && isForMetadata(request)) return undefined;
  if (url?.split('?')[0] !== PATH) return [404, `Not found. MCP is at ${PATH}.`];
  if (method === 'POST' && !isJsonContentType(headers['content-type'] ?? null)) {
    return [415, 'The body must be application/json.'];
  }
  return undefined;
}

function header<Key extends string>(
  request: IncomingMessage,
  name: string,
  key: Key,
): { readonly [key in Key]?: string } {
  const value = request.headers[name];
  return (typeof value === 'string' ? { [key]: value } : {}) as { readonly [key in Key]?: string };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** The maximum length of a body, in bytes. */
const LONGEST = 16 * 1_048_576;

/** One level deeper than a message, for a batch; each message is checked again separately. */
const LIMITS = { maxBytes: LONGEST, maxDepth: MAX_LEVELS + 1 };

/** Why a body is rejected. */
interface BodyProblem {
  readonly status: number;
  /** The JSON-RPC code. */
  readonly code: number;
  readonly problem: string;
}

/**
 * The JSON in the body of a request, or what is wrong with it: also what parsers might interpret differently,
 * such as a duplicate key or an integer that a double cannot represent.
 */
async function readBody(request: IncomingMessage): Promise<{ readonly value: JsonValue } | BodyProblem> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST) {
      return { status: 413, code: INVALID_PARAMS, problem: `The body has more than ${LONGEST} bytes.` };
    }
    chunks.push(chunk);
  }
  const parsed = parseJson(Buffer.concat(chunks).toString('utf8'), LIMITS);
  if (parsed.ok) return { value: parsed.value };
  const { code, message } = parsed.refusal;
  return { status: 400, code: code === 'invalid_json' ? PARSE_ERROR : INVALID_PARAMS, problem: message };
}
