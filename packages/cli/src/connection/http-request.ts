import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { JsonValue } from '@proffer/core/json';

export interface HttpRequest {
  /** Default `GET`. */
  readonly method?: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends it, also while its answer is read. */
  readonly signal: AbortSignal;
  /** Certificates to trust besides those that Node trusts, in PEM. */
  readonly ca?: string | undefined;
}

/** A request that nothing came back for. */
export class NotAnsweredError extends Error {
  /** Whether there was a connection, so that what was sent may have arrived. */
  readonly wasConnected: boolean;

  constructor(cause: NodeJS.ErrnoException, wasConnected: boolean) {
    // That of several addresses which were all tried is empty.
    super(cause.message === '' ? (cause.code ?? 'no connection') : cause.message, { cause });
    this.name = 'NotAnsweredError';
    this.wasConnected = wasConnected;
  }
}

/**
 * One request on a connection of its own; settles when the answer begins. It is not made with `fetch`, which says
 * nothing about whether there was a connection, and may miss its signal while the answer is read.
 *
 * @throws NotAnsweredError where no answer begins
 */
export async function requestOnce(
  url: string,
  { method, headers, body, signal, ca }: HttpRequest,
): Promise<IncomingMessage> {
  const isSecure = url.startsWith('https:');
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const trust = isSecure && ca !== undefined ? { ca: await trusted(ca) } : {};
  const options = {
    ...trust,
    method: method ?? 'GET',
    headers: { ...headers, ...length },
    agent: false,
    signal,
  };
  return await new Promise((resolve, reject) => {
    let wasConnected = false;
    const request = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    request.once('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        wasConnected = true;
      }),
    );
    request.once('response', resolve);
    request.on('error', (error) => reject(new NotAnsweredError(error, wasConnected)));
    request.end(body);
  });
}

/** Loaded only here: most gateways have a certificate that everybody trusts, or none. */
async function trusted(ca: string): Promise<string[]> {
  const { trustedCertificates } = await import('@proffer/client/trust');
  return [...trustedCertificates(ca)];
}

/**
 * All of an answer's body.
 *
 * @param onMore - called when the answer has begun, and each time that more of it has come
 */
export async function readText(response: IncomingMessage, onMore: () => void = () => {}): Promise<string> {
  onMore();
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    onMore();
    text += chunk;
  }
  return text;
}

/** The JSON in a body; nothing where it is none. */
export function parseBody(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
