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

/** Bytes of the gRPC message prefix. */
const PREFIX = 5;

export interface BareOptions {
  /** Where messages are stored: each is on disk before it is answered. Absent: nothing is stored. */
  readonly folder?: string;
}

/**
 * The lower bound for a gRPC call on HTTP/2 in Node: `Send` is answered with a constant Ack, and
 * `StreamSession` echoes each message. Parses nothing and checks nothing. With a folder, everything waiting
 * for the disk is one write and one sync; without one, nothing is stored.
 */
export async function serveBare({ folder }: BareOptions): Promise<{ readonly port: number }> {
  const ack = framedAck();
  const disk = folder === undefined ? undefined : await openGroupCommit(join(folder, 'kept'));
  const server = createServer({ settings: { maxConcurrentStreams: 1_000 } });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    stream.once('wantTrailers', () => stream.sendTrailers(TRAILERS));
    if (headers[':path'] === RUNTIME_SERVICE.streamSession.path) echo(stream, disk);
    else answer(stream, ack, disk);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
}

function echo(stream: ServerHttp2Stream, disk: GroupCommit | undefined): void {
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

/** The sender may be gone by the time its message is on disk. */
function keepFirst(
  stream: ServerHttp2Stream,
  disk: GroupCommit,
  then: (message: Buffer) => void,
): (message: Buffer) => void {
  return (message) => void disk.append(message).then(() => stream.destroyed || then(message));
}

/** Splits a byte stream into messages with their prefixes. */
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
