import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2';
import { defined } from '@proffer/core/json';
import { RUNTIME_SERVICE as RPC } from '@proffer/wire';

/** An HTTP/2 connection that can send anything. Closed by `using`. */
export interface RawConnection extends Disposable {
  readonly session: ClientHttp2Session;
  /** Starts a call. */
  begin(path: string, headers?: IncomingHttpHeaders): ClientHttp2Stream;
  /** One call from start to end, of any kind. */
  call(path: string, body: Buffer, headers?: IncomingHttpHeaders): Promise<RawAnswer>;
}

export interface RawAnswer {
  /** Headers and trailers together. */
  readonly headers: IncomingHttpHeaders;
  /** The messages, without their prefixes. */
  readonly messages: readonly Buffer[];
}

/** @param ca - the certificate to trust, over TLS. Default: no TLS */
export async function connectRaw(port: number, ca?: string): Promise<RawConnection> {
  const options = { maxSessionMemory: 1_000, ...defined({ ca }) };
  const session = connect(`${ca === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, options);
  session.on('error', () => {});
  await once(session, 'connect');
  function begin(path: string, headers: IncomingHttpHeaders = {}): ClientHttp2Stream {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer buyer',
      ...headers,
    });
    stream.on('error', () => {});
    return stream;
  }
  return {
    session,
    begin,
    async call(path, body, headers) {
      const stream = begin(path, headers);
      const answer = answerOf(stream);
      stream.end(body);
      return await answer;
    },
    [Symbol.dispose]: () => session.destroy(),
  };
}

/** The Ack of one `Send`, whose request may be damaged. */
export async function ackOf(raw: RawConnection, message: Uint8Array, headers?: IncomingHttpHeaders) {
  const { headers: answered, messages } = await raw.call(RPC.send.path, framed(message), headers);
  const read = messages[0] && RPC.send.response.read(messages[0]);
  return { status: answered['grpc-status'], ack: read?.ok === true ? read.value.ack : undefined };
}

/** The result of a call, once it has ended. */
export async function answerOf(stream: ClientHttp2Stream): Promise<RawAnswer> {
  let headers: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  const add = (more: IncomingHttpHeaders): void => {
    headers = { ...headers, ...more };
  };
  stream.on('response', add);
  stream.on('trailers', add);
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Not `once`, which would take an error for the end.
  await new Promise((resolve) => stream.once('close', resolve));
  return { headers, messages: messagesIn(Buffer.concat(chunks)) };
}

/** A message with its prefix. */
export function framed(message: Uint8Array, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

function messagesIn(bytes: Buffer): readonly Buffer[] {
  const messages: Buffer[] = [];
  for (let start = 0; start + 5 <= bytes.length; ) {
    const end = start + 5 + bytes.readUInt32BE(start + 1);
    messages.push(bytes.subarray(start + 5, end));
    start = end;
  }
  return messages;
}
