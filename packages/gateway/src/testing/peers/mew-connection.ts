import { isJsonObject, type JsonObject, objectOf, textOf } from '@proffer/core/json';
import { WebSocket } from 'ws';

/** How long a gateway may be silent before the connection counts as lost, in milliseconds. */
const SILENCE = 4_000;

/**
 * One connection of a mew client that keeps working while gateways fail. It does not reconnect on its own.
 */
export class MewConnection {
  readonly url: string;
  /** Whether it was let in; always resolves. */
  readonly welcomed: Promise<boolean>;
  readonly closed: Promise<void>;
  onMessage: (message: JsonObject) => void = () => {};
  onFrame: (frame: string) => void = () => {};
  /** How many messages or frames were refused. */
  refused = 0;
  readonly #name: string;
  readonly #socket: WebSocket;
  /** Those waiting for the answer to a message, by its id; for that of a close, by the id of its stream. */
  readonly #waiting = new Map<string, (message: JsonObject | undefined) => void>();
  #count = 0;
  #isWelcome = false;

  constructor(url: string, { space, name }: { readonly space: string; readonly name: string }) {
    this.url = url;
    this.#name = name;
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: SILENCE });
    this.#socket = socket;
    let isAlive = true;
    // A partitioned gateway does not close the connection.
    const watching = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (this.isOpen) socket.ping();
    }, SILENCE);
    for (const sign of ['pong', 'message']) socket.on(sign, () => (isAlive = true));
    socket.on('error', () => {});
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'join', space, token: name, participantId: name })),
    );
    this.welcomed = new Promise((resolve) =>
      this.#waiting.set('welcome', (message) => resolve(message !== undefined)),
    );
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        clearInterval(watching);
        for (const answer of this.#waiting.values()) answer(undefined);
        resolve();
      });
    });
    socket.on('message', (data: Buffer) => this.#take(data.toString()));
  }

  /** Whether it was let in and has not ended. */
  get isIn(): boolean {
    return this.isOpen && this.#isWelcome;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  raw(text: string): void {
    if (this.isOpen) this.#socket.send(text);
  }

  /** @returns the id of the stream; `undefined` if it was refused or the connection ended */
  async openStream(): Promise<string | undefined> {
    const id = `${this.#name}-${++this.#count}`;
    const answer = this.#answerTo(id);
    this.#send({ id, kind: 'stream/request', to: ['gateway'], payload: { direction: 'upload' } });
    const { stream_id } = objectOf((await answer)?.['payload']);
    return typeof stream_id === 'string' ? stream_id : undefined;
  }

  /** Resolves when it is closed or that was refused, or when the connection ended. */
  async closeStream(stream_id: string, reason: string): Promise<void> {
    const id = `${this.#name}-${++this.#count}`;
    const answer = Promise.race([this.#answerTo(stream_id), this.#answerTo(id)]);
    this.#send({ id, kind: 'stream/close', payload: { stream_id, reason } });
    await answer;
    this.#waiting.delete(id);
  }

  /** Its state, as text. */
  describe(): string {
    return `${this.#name} ${this.isOpen ? 'at' : 'trying'} ${this.url} waits for ${[...this.#waiting.keys()].join(', ') || 'nothing'}`;
  }

  end(): void {
    this.#socket.terminate();
  }

  #answerTo(id: string): Promise<JsonObject | undefined> {
    return new Promise((resolve) => (this.isOpen ? this.#waiting.set(id, resolve) : resolve(undefined)));
  }

  #send(message: JsonObject): void {
    this.raw(JSON.stringify({ protocol: 'mew/v0.4', ts: new Date().toISOString(), ...message }));
  }

  #take(text: string): void {
    if (text.startsWith('#')) return this.onFrame(text);
    const message: unknown = JSON.parse(text);
    if (!isJsonObject(message)) return;
    const { kind, correlation_id: ids, payload } = message;
    if (kind === 'system/error') this.refused++;
    // A refusal that names no message may be about any of them.
    if (kind === 'system/error' && ids === undefined)
      for (const id of this.#waiting.keys()) this.#settle(id, message);
    if (kind === 'system/welcome') {
      this.#isWelcome = true;
      this.#settle('welcome', message);
    }
    if (kind === 'stream/close') this.#settle(textOf(objectOf(payload)['stream_id']), message);
    for (const id of Array.isArray(ids) ? ids : []) this.#settle(textOf(id), message);
    this.onMessage(message);
  }

  #settle(id: string, message: JsonObject): void {
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }
}
