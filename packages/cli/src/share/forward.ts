import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import { awayHeaders, awayPage } from '@proffer/core/words';
import { SUBPROTOCOL } from '@proffer/gateway/door';

/** The headers that the console and the buttons of notifications send. */
const PASSED = ['accept', 'accept-encoding', 'content-type', 'content-length', 'if-none-match', 'user-agent'];

/** Forwards a request, with only the headers that the console needs. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { port, token }: { readonly port: number; readonly token?: string },
): void {
  const headers = {
    ...Object.fromEntries(
      PASSED.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const { method, url: path } = request;
  const asked = requestHttp({ host: '127.0.0.1', port, method, path, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
    answered.once('error', () => response.destroy());
  });
  asked.once('error', () => {
    if (response.headersSent) response.destroy();
    else if (request.headers.accept?.includes('text/html') === true) answerAway(response);
    else answer(response, 503, AWAY);
  });
  response.once('close', () => asked.destroy());
  request.pipe(asked);
}

/** For a person's browser. */
function answerAway(response: ServerResponse): void {
  const nonce = randomUUID();
  response.writeHead(503, awayHeaders(nonce)).end(awayPage(nonce));
}

/** For a program. */
const AWAY = {
  title: 'Service Unavailable',
  status: 503,
  code: 'unavailable',
  detail: 'Proffer is not running on the computer right now.',
};

/**
 * Connects a WebSocket to the gateway's, which reads no further request on this connection.
 *
 * @param isAllowed - checked before anything from the device passes
 */
export function tunnel(
  {
    request,
    socket,
    head,
  }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  {
    port,
    token,
    isAllowed,
  }: { readonly port: number; readonly token: string; readonly isAllowed: () => boolean },
): void {
  const inner = connect(port, '127.0.0.1');
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version = '' } = request.headers;
  inner.write(
    [
      `GET ${request.url} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      `Sec-WebSocket-Key: ${key}`,
      `Sec-WebSocket-Version: ${version}`,
      ...(request.headers['sec-websocket-protocol'] === undefined
        ? []
        : [`Sec-WebSocket-Protocol: ${SUBPROTOCOL}`]),
      `Authorization: Bearer ${token}`,
      '\r\n',
    ].join('\r\n'),
  );
  inner.write(head);
  inner.on('error', () => socket.destroy());
  inner.once('close', () => socket.destroy());
  socket.once('close', () => inner.destroy());
  const gate = new Transform({
    transform(chunk: Buffer, _, done) {
      if (isAllowed()) return done(null, chunk);
      socket.destroy();
      done();
    },
  });
  socket.pipe(gate).pipe(inner).pipe(socket);
}

/** Answers with uncached JSON. */
export function answer(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
