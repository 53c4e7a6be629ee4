import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { defined, type JsonValue } from '@proffer/core/json';

export interface HttpRequest {
  /** Default `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Aborts it, even while its answer is read. */
  readonly signal?: AbortSignal | undefined;
  /** Certificates to trust in addition to Node's, in PEM. */
  readonly ca?: string | Uint8Array | undefined;
  /** Whether to reuse an open connection. Default false: each request has its own. */
  readonly keepAlive?: boolean;
}

/** Nothing came back for a request. */
export class NotAnsweredError extends Error {
  override readonly name = 'NotAnsweredError';
  /** Whether there was a connection, so that the request may have arrived. */
  readonly wasConnected: boolean;

  constructor(cause: NodeJS.ErrnoException, wasConnected: boolean) {
    // If every address of a name failed, the aggregate error has no message.
    super(cause.message === '' ? (cause.code ?? 'no connection') : cause.message, { cause });
    this.wasConnected = wasConnected;
  }
}

/**
 * Sends one request; settles when the answer starts. It does not use `fetch`, which cannot be given
 * certificates to trust, does not say whether there was a connection, and may miss its signal while
 * the answer is read.
 *
 * @throws NotAnsweredError if no answer starts
 */
export async function request(
  url: string,
  { method = 'GET', headers = {}, body, signal, ca, keepAlive = false }: HttpRequest = {},
): Promise<IncomingMessage> {
  const isSecure = url.startsWith('https:');
  const options = {
    ...(isSecure && ca !== undefined ? { ca: await trusted(ca) } : {}),
    ...(keepAlive ? {} : { agent: false }),
    ...defined({ signal }),
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
  };
  return await new Promise((resolve, reject) => {
    let wasConnected = false;
    const outgoing = isSecure ? requestHttps(url, options) : requestHttp(url, options);
    outgoing.once('socket', (socket) => {
      wasConnected = outgoing.reusedSocket;
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        wasConnected = true;
      });
    });
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => reject(new NotAnsweredError(error, wasConnected)));
    outgoing.end(body);
  });
}

/** Loaded only here: most gateways have a publicly trusted certificate, or none. */
async function trusted(ca: string | Uint8Array): Promise<string[]> {
  const { trustedCertificates } = await import('../connection/trust.js');
  return [...trustedCertificates(ca)];
}

/**
 * Reads the whole body of an answer.
 *
 * @param onMore - called when the answer has started, and for each further chunk
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

/** The JSON in a body; `undefined` if it is not JSON. */
export function parseBody(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
