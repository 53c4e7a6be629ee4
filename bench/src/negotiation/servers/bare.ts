import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { RUNTIME_SERVICE } from '@proffer/wire';
import { type GroupCommit, openGroupCommit } from '../../journal/group-commit.js';
import { ackBytes } from './ack.js';

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;
const OPTIONS = { waitForTrailers: true, sendDate: false } as const;
const TRAILERS = { 'grpc-status': '0' } as const;

/** Bytes that gRPC puts in front of a message. */
const PREFIX = 5;

export interface BareOptions {
  /** Where messages are kept: each is on the disk before it is answered. Absent: nothing is kept. */
  readonly folder?: string;
}

/**
 * The least that a gRPC call can cost on HTTP/2 in Node: `Send` is answered with one Ack, always the same, and
 * `StreamSession` brings back each message that came. Reads nothing and checks nothing; with a folder, what waits
 * for the disk is one write and one sync, and without one nothing is kept.
 */
export async function serveBare({ folder }: BareOptions): Promise<{ readonly port: number }> {
  const ack = framedAck();
  const disk = folder === undefined ? undefined : await openGroupCommit(join(folder, 'kept'));
  const server = createServer({ settings: { maxConcurrentStreams: 1_000 } });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    stream.once('wantTrailers', () => stream.sendTrailers(TRAILERS));
    if (headers[':path'] === RUNTIME_SERVICE.streamSession.path) sendBack(stream, disk);
    else answer(stream, ack, disk);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
}

function sendBack(stream: ServerHttp2Stream, disk: GroupCommit | undefined): void {
  const send = (message: Buffer): void => void stream.write(message);
  stream.respond(HEADERS, OPTIONS);
  stream.on('data', eachMessage(disk === undefined ? send : keepFirst(stream, disk, send)));
  stream.on('end', () => stream.end());
}

function answer(stream: ServerHttp2Stream, ack: Buffer, disk: GroupCommit | undefined): void {
  const send = (): void => {
    stream.respond(HEADERS, OPTIONS);
    stream.end(ack);
  };
  if (disk === undefined) stream.on('end', send).resume();
  else stream.on('data', eachMessage(keepFirst(stream, disk, send)));
}

/** Who sent a message may be gone when it is on the disk. */
function keepFirst(
  stream: ServerHttp2Stream,
  disk: GroupCommit,
  then: (message: Buffer) => void,
): (message: Buffer) => void {
  return (message) => void disk.append(message).then(() => stream.destroyed || then(message));
}

/** Takes the messages, with what is in front of them, out of the pieces that come. */
function eachMessage(take: (message: Buffer) => void): (piece: Buffer) => void {
  let unread: Buffer | undefined;
  return (piece) => {
    const bytes = unread === undefined ? piece : Buffer.concat([unread, piece]);
    let at = 0;
    while (bytes.length - at >= PREFIX) {
      const end = at + PREFIX + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      take(bytes.subarray(at, end));
      at = end;
    }
    unread = at === bytes.length ? undefined : bytes.subarray(at);
  };
}

function framedAck(): Buffer {
  const bytes = ackBytes(PREFIX);
  bytes[0] = 0;
  bytes.writeUInt32BE(bytes.length - PREFIX, 1);
  return bytes;
}
