import { defined } from '@proffer/core/json';
import { WebSocket } from 'ws';
import {
  type OpenSocket,
  readRefusalBody,
  type Socket,
  type SocketEnd,
  type SocketEvents,
} from './socket.js';
import { trustedCertificates } from './trust.js';

/** How long the peer has to answer a close before the socket is cut, in milliseconds. */
const CLOSING = 2_000;

/** How long after its last ping a gateway counts as gone, in milliseconds: more than two missed pings. */
const SILENCE = 75_000;

/** The maximum length of a refusal that is read, in bytes. */
const LONGEST_REFUSAL = 65_536;

/** A WebSocket of the `ws` package: the token goes in a header, and a refusal can be read. */
export const openNodeSocket: OpenSocket = nodeSocket({});

/** A socket with certificates trusted in addition to Node's. */
export function trustingSocket(ca: string | Uint8Array): OpenSocket {
  return nodeSocket({ ca: [...trustedCertificates(ca)] });
}

function nodeSocket(trust: { readonly ca?: string[] }): OpenSocket {
  return ({ url, token }, events) =>
    openSocket(
      new WebSocket(url, {
        ...trust,
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
        maxPayload: 64 * 1_048_576,
      }),
      events,
    );
}

function openSocket(socket: WebSocket, events: SocketEvents): Socket {
  const end: { refusal?: SocketEnd['refusal']; cause?: unknown } = {};
  let silence: ReturnType<typeof setTimeout> | undefined;
  socket.on('open', () => events.onOpen?.());
  socket.on('message', (data: Buffer) => events.onText(data.toString()));
  socket.on('ping', () => {
    clearTimeout(silence);
    silence = setTimeout(() => socket.terminate(), SILENCE);
    silence.unref();
  });
  socket.on('unexpected-response', (_request, response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      if (body.length < LONGEST_REFUSAL) body += piece;
    });
    response.on('close', () => {
      end.refusal = readRefusalBody(body);
      end.cause = new Error(`The gateway answered with HTTP status ${response.statusCode ?? 0}.`);
      socket.terminate();
    });
  });
  // The close event follows; without a listener the error would end the process.
  socket.on('error', (error) => {
    end.cause ??= error;
  });
  socket.on('close', (code) => {
    clearTimeout(silence);
    const { refusal, cause } = end;
    events.onClose({ code, ...defined({ refusal, cause }) });
  });
  return {
    send: (text) => socket.send(text),
    close() {
      socket.resume();
      socket.close(1000);
      setTimeout(() => socket.terminate(), CLOSING).unref();
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}
