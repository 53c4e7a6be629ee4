import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Envelope } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { type ClientOptions, WebSocket } from 'ws';

/** A message as received on the wire. */
export type Message = Envelope & { readonly seq?: number };

/** An independent client: a plain WebSocket, and every message it received. */
export interface Peer extends AsyncDisposable {
  readonly socket: WebSocket;
  readonly messages: readonly Message[];
  /** The close code of the connection. */
  readonly closed: Promise<number>;
  send(message: JsonObject): void;
  /** The first matching message, past or future. */
  next(fits: (message: Message) => boolean): Promise<Message>;
  /** Sends a message and returns it as it comes back, which is the acknowledgement. */
  say(message: JsonObject & { readonly id: string }): Promise<Message>;
  /** The error about a message; the first one if it is about none that was recognised. */
  error(about?: string): Promise<JsonObject>;
}

/** Connects as a dev mode participant, or with any token. */
export async function connectPeer(
  url: string,
  token: string,
  query: Readonly<Record<string, string>> = {},
  options: ClientOptions = {},
): Promise<Peer> {
  const socket = openSocket(url, token, query, options);
  const messages: Message[] = [];
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as Message);
    wake();
  });
  socket.on('close', wake);
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => resolve(code));
  });
  await once(socket, 'open');
  // Later errors show as a close.
  socket.on('error', () => {});
  const send = (message: JsonObject): void => socket.send(JSON.stringify(message));
  async function next(fits: (message: Message) => boolean, from = 0): Promise<Message> {
    for (let looked = from; ; ) {
      for (; looked < messages.length; looked++) {
        const message = messages[looked];
        if (message !== undefined && fits(message)) return message;
      }
      if (socket.readyState === WebSocket.CLOSED) throw new Error('The connection closed first.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  return {
    socket,
    messages,
    closed,
    send,
    next: (fits) => next(fits),
    async say(message) {
      const from = messages.length;
      send(message);
      const answered = await next(
        ({ id, seq, kind, correlationId }) =>
          (id === message.id && seq !== undefined) ||
          (kind === 'system.error' && correlationId === message.id),
        from,
      );
      if (answered.id === message.id) return answered;
      throw new Error(`${message.id} was refused: ${JSON.stringify(answered.payload)}`);
    },
    async error(about) {
      return (await next(({ kind, correlationId }) => kind === 'system.error' && correlationId === about))
        .payload;
    },
    async [Symbol.asyncDispose]() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await closed;
    },
  };
}

/** Tries to connect where that must be refused; returns the answer. */
export async function refusedPeer(
  url: string,
  token: string | undefined,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly code: string }> {
  const socket = openSocket(url, token, query, { headers });
  return await new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('It was let in.')));
    socket.on('error', () => {});
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => {
        const { code } = JSON.parse(text) as { code: string };
        resolve({ status: response.statusCode ?? 0, code });
      });
    });
  });
}

function openSocket(
  url: string,
  token: string | undefined,
  query: Readonly<Record<string, string>>,
  options: ClientOptions,
): WebSocket {
  const address = `${url}?${new URLSearchParams({ space: 'main', ...query }).toString()}`;
  const shown = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...shown, ...options.headers };
  return new WebSocket(address, { perMessageDeflate: false, ...options, headers });
}
