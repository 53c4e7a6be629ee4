import { GATEWAY, refusalRow } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { ConnectionClosedError } from '../connection-errors.js';
import { type Addresses, type Destination, socketAddress } from './addresses.js';
import { type RetryOptions, retryDelay, tryAfter } from './backoff.js';
import { type Message, readDelivered } from './message.js';
import type { OpenSocket, Socket, SocketEnd } from './socket.js';

/** A token, or a function that returns one for each connection. */
export type TokenSource = string | (() => string | Promise<string>);

export interface ConnectionOptions {
  readonly destination: Omit<Destination, 'url'>;
  readonly addresses: Addresses;
  readonly token: TokenSource;
  readonly openSocket: OpenSocket;
  readonly retry?: RetryOptions;
  /** The last `seq` seen, read for each connection. */
  readonly after: () => number | undefined;
  /** Called each time the gateway accepts us. */
  readonly onWelcome: (welcome: Message) => void;
  readonly onMessage: (message: Message) => void;
  /** The connection was lost; the next attempt is in `retryIn` milliseconds. */
  readonly onLost: (end: SocketEnd, retryIn: number) => void;
  /** The connection has ended; with the reason, unless we closed it. Nothing follows. */
  readonly onOver: (reason: ConnectionClosedError | undefined) => void;
}

/**
 * How long the gateway has to accept us, in milliseconds; shared by the addresses, so that none uses
 * up all the time.
 */
const WELCOME = 15_000;
const SHORTEST_WELCOME = 3_000;

/** How long closing waits for the other side, in milliseconds. */
const CLOSING = 2_500;

/**
 * A WebSocket that reconnects automatically and resumes after the last `seq`, until it is closed or reconnecting is
 * pointless.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #socket: Socket | undefined;
  #isUp = false;
  /** When the gateway accepted us, in milliseconds since 1970. */
  #upSince = 0;
  #isOver = false;
  #isHeld = false;
  #attempt = 0;
  /** Which of the addresses is tried. */
  #address: string;
  /** Distinguishes events of the current socket from those of earlier ones. */
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #onSocketClosed: (() => void) | undefined;

  /** Starts at once. */
  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#address = options.addresses.current;
    void this.#open();
  }

  /** Whether the gateway has accepted us and the connection has not been lost since. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Sends, if there is a connection; false if there is none. */
  send(text: string): boolean {
    if (!this.#isUp || this.#socket === undefined) return false;
    this.#socket.send(text);
    return true;
  }

  /** Accepts no more messages until `release`: stops reading if the host can, else hangs up until then. */
  hold(): void {
    if (this.#isHeld || this.#isOver) return;
    this.#isHeld = true;
    if (this.#socket?.pause !== undefined) this.#socket.pause();
    else this.#hangUp();
  }

  release(): void {
    if (!this.#isHeld || this.#isOver) return;
    this.#isHeld = false;
    if (this.#socket !== undefined) this.#socket.resume?.();
    else if (this.#timer === undefined) void this.#open();
  }

  /** Switches to the next address: this gateway cannot help. */
  moveOn(): void {
    if (!this.#isUp) return;
    this.#lose({ code: 1001, cause: new Error('The gateway is unavailable.') });
  }

  /** Ends it for good. Settles when the socket is closed. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    const socket = this.#socket;
    const closed = new Promise<void>((resolve) => {
      if (socket === undefined) return resolve();
      const timer = setTimeout(resolve, CLOSING);
      this.#onSocketClosed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#finish(undefined);
    await closed;
  }

  async #open(): Promise<void> {
    const generation = ++this.#generation;
    const isCurrent = (): boolean => generation === this.#generation && !this.#isOver;
    const { token, openSocket, destination, addresses, after } = this.#options;
    let current: string;
    try {
      current = typeof token === 'string' ? token : await token();
    } catch (cause) {
      if (isCurrent()) this.#lose({ code: 1006, cause });
      return;
    }
    if (!isCurrent()) return;
    const patience = Math.max(SHORTEST_WELCOME, WELCOME / addresses.all.length);
    this.#wait(patience, () => this.#lose({ code: 1006, cause: new Error('The gateway sent no welcome.') }));
    try {
      this.#address = addresses.current;
      const url = socketAddress(this.#address, destination, after());
      this.#socket = openSocket(
        { url, token: current },
        {
          onText: (text) => {
            if (isCurrent()) this.#take(text);
          },
          onClose: (end) => {
            if (isCurrent()) this.#lose(end);
            else this.#onSocketClosed?.();
          },
        },
      );
    } catch (cause) {
      // An address or a token that the host cannot even try does not improve by waiting.
      const why = cause instanceof Error ? cause.message : String(cause);
      this.#finish(new ConnectionClosedError('refused', why, { cause }));
    }
  }

  #take(text: string): void {
    const message = readDelivered(text);
    if (message === undefined) return;
    if (message.kind !== 'system.welcome' || message.from !== GATEWAY) {
      if (this.#isUp) this.#options.onMessage(message);
      return;
    }
    this.#isUp = true;
    this.#upSince = Date.now();
    this.#wait(undefined);
    this.#options.onWelcome(message);
  }

  #lose(end: SocketEnd): void {
    const uptime = this.#isUp ? Date.now() - this.#upSince : 0;
    this.#hangUp();
    const reason = reasonToGiveUp(end);
    if (reason !== undefined) return this.#finish(reason);
    if (this.#isHeld) return;
    const { addresses, retry } = this.#options;
    addresses.leave(this.#address);
    const attempt = tryAfter(this.#attempt, uptime);
    this.#attempt = attempt + 1;
    const delay = retryDelay(attempt, retry, addresses.all.length);
    this.#wait(delay, () => void this.#open());
    this.#options.onLost(end, delay);
  }

  /** Detaches from the socket; its further events are ignored. */
  #hangUp(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isUp = false;
    this.#generation++;
    this.#wait(undefined);
    socket?.close();
  }

  #finish(reason: ConnectionClosedError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hangUp();
    this.#options.onOver(reason);
  }

  #wait(delay: number | undefined, then?: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (delay === undefined || then === undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      then();
    }, delay);
  }
}

/**
 * Why not to reconnect after a connection ended; `undefined` if it is worth retrying, as after a lost
 * network, a gateway that went away (1001) and when we fell behind (4408).
 */
function reasonToGiveUp({ code, refusal, cause }: SocketEnd): ConnectionClosedError | undefined {
  if (code === 4401) return new ConnectionClosedError('credential_revoked', 'The token is no longer valid.');
  if (code === 4400) {
    const what = 'The gateway closed the connection: too many messages were unreadable.';
    return new ConnectionClosedError('too_many_errors', what);
  }
  if (refusal === undefined || refusalRow(refusal.code)?.retryable === true) return undefined;
  return new ConnectionClosedError('refused', refusal.message, { code: refusal.code, ...defined({ cause }) });
}
