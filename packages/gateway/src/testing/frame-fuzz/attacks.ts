import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { brokenEnvelope, brokenRequest, brokenSend, type OpenSessions } from './broken-envelopes.js';
import { brokenJson, brokenMessage, noise, pick, type Random } from './broken-messages.js';

/** The ports of a gateway. */
export interface Target {
  readonly port: number;
  readonly grpcPort: number;
  /** A session in each mode, for messages that are about one. */
  readonly sessions: OpenSessions;
}

/** Opens a connection, sends malformed frames, and waits until the gateway has read them or has closed it. */
export type Attack = (target: Target, random: Random) => Promise<number>;

const FRAMES = 400;
const REQUESTS = 50;
const PING = 0x9;

/** WebSocket frames: most of them whole, with a broken message; now and then a broken frame, which ends the connection. */
export const overWebSocket: Attack = async ({ port, sessions }, random) => {
  const socket = await open(port);
  const isInSpace = random() < 0.6;
  const path = isInSpace ? '/ws?space=main' : '/macp/ws';
  const key = Buffer.from('sixteen bytes ..').toString('base64');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer fuzz\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const frames: Buffer[] = Array.from({ length: FRAMES }, () =>
    frame(0x1, Buffer.from(isInSpace || random() < 0.2 ? brokenMessage(random) : ofSession(), 'utf8')),
  );
  function ofSession(): string {
    return JSON.stringify(brokenEnvelope(sessions, random));
  }
  if (random() < 0.2) frames[Math.floor(random() * FRAMES)] = brokenFrame(random);
  socket.write(Buffer.concat([...frames, frame(PING, Buffer.from('end'))]));
  // The gateway answers a ping after everything before it.
  await readUntil(socket, (data) => data.includes('\x8a\x03end', 0, 'latin1'));
  return FRAMES;
};

/** HTTP: broken bodies on one connection; now and then a broken head, which ends it. */
export const overHttp: Attack = async ({ port, sessions }, random) => {
  const socket = await open(port);
  const broken = () => brokenJson(random);
  const bodies: readonly (readonly [path: string, body: () => string])[] = [
    ['/spaces/main/messages', broken],
    ['/spaces/main/proposals', broken],
    ['/spaces/main/grants', broken],
    ['/macp/envelope', broken],
    ['/macp/envelope', () => JSON.stringify(brokenEnvelope(sessions, random))],
    ['/macp/v1/Send', () => JSON.stringify(brokenSend(sessions, random))],
  ];
  const requests: Buffer[] = Array.from({ length: REQUESTS }, () => {
    const [path, makeBody] = pick(random, bodies);
    const body = Buffer.from(makeBody(), 'utf8');
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer fuzz\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  });
  if (random() < 0.2) requests[Math.floor(random() * REQUESTS)] = noise(random, 400);
  socket.write(Buffer.concat(requests));
  let answers = 0;
  await readUntil(socket, (data) => {
    answers += data.toString('latin1').split('HTTP/1.1 ').length - 1;
    return answers >= REQUESTS;
  });
  return REQUESTS;
};

/** gRPC: broken messages in single calls and in streams. */
export const overGrpc: Attack = async ({ grpcPort, sessions }, random) => {
  const session = connectHttp2(`http://127.0.0.1:${grpcPort}`);
  session.on('error', () => {});
  const methods = [
    'Send',
    'StreamSession',
    'StreamSession',
    'GetSession',
    'RegisterPolicy',
    'Initialize',
    'None',
  ];
  const calls = Array.from({ length: 20 }, async () => {
    const method = methods[Math.floor(random() * methods.length)];
    const call = session.request({
      ':method': 'POST',
      ':path': `/macp.v1.MACPRuntimeService/${method}`,
      'content-type': 'application/grpc',
      authorization: 'Bearer fuzz',
      te: 'trailers',
    });
    call.on('error', () => {}).resume();
    call.end(Buffer.concat(Array.from({ length: REQUESTS }, () => brokenProtobuf(sessions, random))));
    await once(call, 'close');
  });
  await Promise.all(calls);
  session.destroy();
  return calls.length * REQUESTS;
};

/** Bytes on a fresh connection to either port. */
export const withNoise: Attack = async ({ port, grpcPort }, random) => {
  const socket = await open(random() < 0.5 ? port : grpcPort);
  const preface = random() < 0.5 ? 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' : '';
  const data = Buffer.concat([Buffer.from(preface), noise(random, 2_000)]);
  await new Promise<void>((resolve) => socket.end(data, resolve));
  socket.destroy();
  return 1;
};

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // The gateway may close it at any time.
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/** Reads until the gateway has said what is waited for, or has closed the connection. */
async function readUntil(socket: Socket, isEnd: (data: Buffer) => boolean): Promise<void> {
  socket.on('data', (data: Buffer) => isEnd(data) && socket.destroy());
  if (!socket.closed) await once(socket, 'close');
}

/** A masked frame, as clients send it; the mask is zero. */
function frame(opcode: number, data: Buffer): Buffer {
  const length =
    data.length < 126 ? [0x80 | data.length] : [0x80 | 126, (data.length >> 8) & 0xff, data.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length, 0, 0, 0, 0]), data]);
}

/** Reserved bits and opcodes, no mask, invalid UTF-8, a length that is too large, a fragment without a beginning. */
function brokenFrame(random: Random): Buffer {
  const broken = [
    () => Buffer.concat([Buffer.from([Math.floor(random() * 256)]), noise(random, 40)]),
    () => Buffer.from([0x81, 0x05, ...Buffer.from('hello')]),
    () => frame(0x1, Buffer.from([0xff, 0xfe, 0xfd])),
    () => Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    () => frame(0x0, Buffer.from('{}')),
    () => frame(0xf, noise(random, 20)),
  ];
  return (broken[Math.floor(random() * broken.length)] as () => Buffer)();
}

/** A gRPC frame: a flag, a length that may be wrong, and bytes that may be protobuf in part. */
function brokenProtobuf(sessions: OpenSessions, random: Random): Buffer {
  const kinds = [
    () => noise(random, 60),
    () => Buffer.from(`\n\x10${brokenMessage(random)}`.slice(0, 120), 'utf8'),
    () => brokenRequest(sessions, random),
  ];
  const data = pick(random, kinds)();
  const head = Buffer.alloc(5);
  head[0] = random() < 0.97 ? 0 : Math.floor(random() * 256);
  head.writeUInt32BE(random() < 0.97 ? data.length : Math.floor(random() * 2 ** 32), 1);
  return Buffer.concat([head, data]);
}
