import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_WAIT, MAX_BYTES, undecidedAnswer } from '../launch/index.js';
import type { AnswerEvent } from './answer-event.js';
import type { HookServer } from './socket-server.js';

/** The path of the hooks: `/proffer/hooks/AGENT/EVENT?wait=SECONDS&otherwise=ask`. */
export const HOOK_PATH = '/proffer/hooks/';

export interface HttpServerOptions {
  readonly answer: AnswerEvent;
  /** The bearer token that callers must send. */
  readonly token: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly onCall?: () => void;
}

/**
 * Serves HTTP hooks on this machine: only with the token, only under a host name of this machine, and
 * never to a web page.
 */
export async function startHttpServer(
  options: HttpServerOptions,
): Promise<HookServer & { readonly port: number }> {
  const server = createServer((request, response) => {
    options.onCall?.();
    // A caller that disconnects gets no answer, and must not end the process for the others.
    respond(request, response, options).catch(() => response.destroy());
  });
  // A person may take as long as the hook allows.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, token }: HttpServerOptions,
): Promise<void> {
  const refusal = refusalOf(request, token);
  if (refusal !== undefined) return refuse(response, ...refusal);
  const url = new URL(request.url ?? '', 'http://127.0.0.1');
  const [agent = '', event = ''] = url.pathname.slice(HOOK_PATH.length).split('/');
  const seconds = Number(url.searchParams.get('wait') ?? DEFAULT_WAIT / 1_000);
  const wait = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000;
  const otherwise = (url.searchParams.get('otherwise') ?? 'ask') === 'ask' ? 'ask' : 'deny';
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const bytes = await readBody(request);
  if (bytes === undefined) {
    const reason = 'This call is too large for Proffer to check.';
    return send(response, undecidedAnswer({ agent, event, tool: '', reason, otherwise }).stdout);
  }
  const { stdout, delivered } = await answer(bytes, {
    agent,
    event,
    wait,
    otherwise,
    signal: gone.signal,
  });
  if (response.destroyed || gone.signal.aborted) return delivered(false);
  response.once('finish', () => delivered(true));
  response.once('close', () => delivered(false));
  send(response, stdout === '' ? '{}' : stdout);
}

type Refused = readonly [status: number, detail: string];

function refusalOf({ headers, method, url = '' }: IncomingMessage, token: string): Refused | undefined {
  if (headers.origin !== undefined) return [403, 'Pages are not served here.'];
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(headers.host ?? ''))
    return [403, 'Requests are accepted only from this machine, under its own name.'];
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!isSame(given, token)) return [401, 'The bearer token is missing or wrong. Install the hook again.'];
  if (!url.startsWith(HOOK_PATH)) return [404, 'Hook not found.'];
  return method === 'POST' ? undefined : [405, 'Hooks must be called with POST.'];
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

/** The body; `undefined` if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // Read to the end all the same: a client that is still writing would not see the answer.
    if (size <= MAX_BYTES) parts.push(part);
    else if (size > 4 * MAX_BYTES) return undefined;
  }
  return size > MAX_BYTES ? undefined : Buffer.concat(parts);
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  const body = JSON.stringify({ type: 'about:blank', status, detail });
  response.writeHead(status, { 'content-type': 'application/problem+json', connection: 'close' }).end(body);
}
