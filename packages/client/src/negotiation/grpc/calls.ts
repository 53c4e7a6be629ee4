import { type Client, type ClientReadableStream, Metadata } from '@grpc/grpc-js';
import type { Method } from '@proffer/wire';
import { macpError } from '../macp-error.js';
import type { Attempt } from '../transport.js';
import { errorFromStatus, isServiceError } from './status-error.js';

/** The RPCs of a runtime, each tried once. */
interface Calls {
  /**
   * Unary: one request, one answer. Throws a MacpError.
   *
   * @param onTrailers - called with the trailers before the answer is returned
   */
  readonly ask: <Request, Response>(
    method: Method<Request, Response, 'unary'>,
    request: Request,
    attempt: Attempt,
    onTrailers?: (trailers: Metadata) => void,
  ) => Promise<Response>;
  /**
   * Server streaming: one request, many answers; read as they are consumed. Throws a MacpError if it
   * breaks off.
   */
  readonly follow: <Request, Response>(
    method: Method<Request, Response, 'server_streaming' | 'bidi_streaming'>,
    request: Request,
    attempt: Attempt,
  ) => AsyncGenerator<Response, undefined>;
}

export function createCalls(client: Client): Calls {
  return {
    ask: (method, request, { token, signal }, onTrailers) =>
      new Promise((resolve, reject) => {
        const { serialize, deserialize } = codecsOf(method);
        const call = client.makeUnaryRequest(
          method.path,
          serialize,
          deserialize,
          request,
          credentials(token),
          (error, response) => {
            signal.removeEventListener('abort', cancel);
            if (error !== null) reject(errorFromStatus(error));
            else if (response === undefined) reject(macpError('INTERNAL_ERROR', 'The answer is empty.'));
            else resolve(response);
          },
        );
        // Arrives in the same turn as the answer, and so before its waiters continue.
        call.on('status', ({ metadata }) => onTrailers?.(metadata));
        const cancel = (): void => call.cancel();
        signal.addEventListener('abort', cancel);
        if (signal.aborted) cancel();
      }),
    async *follow<Request, Response>(
      method: Method<Request, Response, 'server_streaming' | 'bidi_streaming'>,
      request: Request,
      { token, signal }: Attempt,
    ): AsyncGenerator<Response, undefined> {
      const call = openStream(client, method, request, credentials(token));
      const cancel = (): void => call.cancel();
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
      try {
        for await (const response of call) yield response as Response;
      } catch (error) {
        throw isServiceError(error) ? errorFromStatus(error) : error;
      } finally {
        signal.removeEventListener('abort', cancel);
        // Cancelling ends it with an error that no one awaits.
        call.on('error', () => {});
        call.cancel();
      }
    },
  };
}

function openStream<Request, Response>(
  client: Client,
  method: Method<Request, Response, 'server_streaming' | 'bidi_streaming'>,
  request: Request,
  metadata: Metadata,
): ClientReadableStream<Response> {
  const { path, kind } = method;
  const { serialize, deserialize } = codecsOf(method);
  if (kind === 'server_streaming') {
    return client.makeServerStreamRequest(path, serialize, deserialize, request, metadata);
  }
  const call = client.makeBidiStreamRequest(path, serialize, deserialize, metadata);
  call.write(request);
  return call;
}

function codecsOf<Request, Response>({ request, response }: Method<Request, Response>) {
  return {
    serialize: (value: Request): Buffer => request.write(value),
    deserialize: (bytes: Buffer): Response => {
      const read = response.read(bytes);
      if (read.ok) return read.value;
      throw macpError(read.refusal.code, read.refusal.message, { details: read.refusal.details });
    },
  };
}

function credentials(token: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}
