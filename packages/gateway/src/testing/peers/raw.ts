import { connect, type Socket } from 'node:net';

/** A TCP connection that can send anything. */
export interface Raw extends Disposable {
  readonly socket: Socket;
  /** What arrived so far. */
  readonly text: () => string;
  /** Resolves when that has arrived. */
  until(part: string): Promise<string>;
  /** Resolves when the other side ends it in any way. */
  readonly ended: Promise<string>;
}

export async function connectRaw(port: number, first = ''): Promise<Raw> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  let over = false;
  const ended = new Promise<string>((resolve) => {
    const end = (): void => {
      over = true;
      wake();
      resolve(text);
    };
    socket.once('end', end);
    socket.once('close', end);
  });
  socket.on('error', wake);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  if (first !== '') socket.write(first);
  waiting = [];
  return {
    socket,
    text: () => text,
    ended,
    async until(part) {
      while (!text.includes(part)) {
        if (over) throw new Error(`The connection ended first, after ${JSON.stringify(text)}.`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return text;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}
