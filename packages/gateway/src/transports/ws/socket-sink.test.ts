import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createSocketSink, type SocketSink } from './socket-sink.js';

/** A sink over a socket that reports what was handed to the system, and in how many calls. */
function sinkWithCalls(): { readonly sink: SocketSink; readonly calls: string[] } {
  const calls: string[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      calls.push(chunk.toString());
      done();
    },
    writev(chunks, done) {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  const webSocket = { readyState: 1, OPEN: 1 } as unknown as WebSocket;
  return { sink: createSocketSink(webSocket, socket), calls };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('writing to a connection', () => {
  it('I-7: batches what is gathered, in order, and writes at once otherwise', async () => {
    const { sink, calls } = sinkWithCalls();
    sink.write(Buffer.from('a'));
    expect(calls).toEqual(['a']);
    for (const text of ['b', 'c', 'd']) {
      sink.gather();
      sink.write(Buffer.from(text));
    }
    sink.write(Buffer.from('e'));
    expect(sink.buffered()).toBe(4);
    await nextTurn();
    expect(calls).toEqual(['a', 'bcde']);
    sink.write(Buffer.from('f'));
    expect(calls).toEqual(['a', 'bcde', 'f']);
  });

  it('I-7: does not gather until it looks as if nobody reads', () => {
    const { sink } = sinkWithCalls();
    for (let count = 0; count < 100; count++) {
      sink.gather();
      sink.write(Buffer.alloc(1_000));
      expect(sink.buffered()).toBeLessThan(20_000);
    }
  });
});
