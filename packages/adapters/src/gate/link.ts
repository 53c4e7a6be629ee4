import { ConnectionClosedError, connect, type Participant } from '@proffer/client';
import type { GatewayTarget } from './gateway-target.js';

/** Where a call was asked about. */
export interface AskedAt {
  readonly url: string;
  /** How a person opens the inbox there: a command, or an address. */
  readonly inbox: string;
}

/** How long an idle connection stays open, in milliseconds. */
const IDLE = 1_000;

/**
 * The connection to the gateway: opened when a call needs it, and closed soon after the last one, so
 * that a finished script can exit. While open it reconnects automatically.
 */
export class GatewayLink {
  readonly #findTarget: () => Promise<GatewayTarget>;
  readonly #onEnter: (participant: Participant) => void;
  #participant: Promise<Participant> | undefined;
  #at: AskedAt | undefined;
  #users = 0;
  #closing: ReturnType<typeof setTimeout> | undefined;

  constructor(findTarget: () => Promise<GatewayTarget>, onEnter: (participant: Participant) => void) {
    this.#findTarget = findTarget;
    this.#onEnter = onEnter;
  }

  /** The gateway of the last connection. */
  get at(): AskedAt | undefined {
    return this.#at;
  }

  /**
   * Returns the connection, and keeps it open until {@link leave}. If it cannot connect, it fails and
   * keeps nothing.
   */
  async enter(): Promise<Participant> {
    this.hold();
    this.#participant ??= this.#connect();
    try {
      return await this.#participant;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Keeps the connection open until {@link leave}. */
  hold(): void {
    this.#users += 1;
    clearTimeout(this.#closing);
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#closing = setTimeout(() => void this.close(), IDLE);
  }

  async close(): Promise<void> {
    clearTimeout(this.#closing);
    const participant = this.#participant;
    this.#participant = undefined;
    // A connection that never opened need not be closed.
    await participant?.then((standing) => standing.close()).catch(() => {});
  }

  #connect(): Promise<Participant> {
    const connecting = this.#connectTo();
    void this.#follow(connecting);
    return connecting;
  }

  async #connectTo(): Promise<Participant> {
    const { advice, inbox, ...options } = await this.#findTarget();
    this.#at = { url: String(options.url).replaceAll(/\bws(?=s?:)/g, 'http'), inbox };
    try {
      return await connect(options);
    } catch (error) {
      const isNobody = error instanceof ConnectionClosedError && error.reason === 'timeout';
      throw isNobody && advice !== undefined ? new Error(advice, { cause: error }) : error;
    }
  }

  /** Until it has ended, even if it never opened. */
  async #follow(connecting: Promise<Participant>): Promise<void> {
    try {
      const participant = await connecting;
      this.#onEnter(participant);
      await participant.closed;
    } catch {
      // The error goes to the caller that wanted to enter.
    }
    if (this.#participant === connecting) this.#participant = undefined;
  }
}
