import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Refusal } from '@proffer/core';
import type { JournalEvent } from '../../journal.js';
import { cannotReach } from '../authenticity/foreign-messages.js';
import { StreamReplaced } from './stream-identity.js';

export interface LinkOptions {
  readonly connection: NatsConnection;
  /** Resubscribes to the stream: messages sent into a broken connection are lost. */
  readonly restart: () => void;
  /**
   * Settles when the stream's leader answers and everything it has has arrived; rejects if it does not
   * answer.
   *
   * @param options - whether a majority of the servers must confirm the leader
   */
  readonly catchUp: (options?: { readonly isCertain: boolean }) => Promise<void>;
  /** The outage lasts: waiting appends are refused from now on, until the link is usable again. */
  readonly onFailing: (refusal: Refusal<'unavailable'>) => void;
  readonly onUsable: () => void;
  /** Another stream has taken the place of the one that was opened. */
  readonly onReplaced: () => void;
  /** How long writers wait for a server that is being replaced before they are refused, in milliseconds. */
  readonly patience: number;
}

/** How often a lost link is retried, and one in use is checked, in milliseconds. */
const RETRY = 100;
const LOOK = 2_000;

/**
 * Knows whether the journal can be written and is up to date. After losing NATS, the journal first
 * catches up: until then nothing is decided on possibly outdated state.
 */
export class NatsLink {
  readonly #options: LinkOptions;
  readonly #listeners = new Set<(event: JournalEvent) => void>();
  readonly #looking: NodeJS.Timeout;
  #waiting: (() => void)[] = [];
  #state: 'usable' | 'lost' | 'failing' = 'usable';
  #refusal = cannotReach(new Error('the connection was lost'));
  #broken = createBreak();
  #isConnected = true;
  #closed = false;
  #isReplaced = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    void this.#watchConnection();
    this.#looking = setInterval(() => void this.#look(), LOOK);
    this.#looking.unref();
  }

  /** Whether appends are accepted: it is usable, or was a moment ago. */
  get isOpen(): boolean {
    return this.#state !== 'failing' && !this.isOver;
  }

  get isUsable(): boolean {
    return this.#state === 'usable';
  }

  /** Why appends are not accepted. */
  get refusal(): Refusal<'unavailable'> {
    return this.#refusal;
  }

  watch(listener: (event: JournalEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles when it is usable, or will never be again. */
  async usable(): Promise<void> {
    if (this.#state === 'usable' || this.isOver) return;
    await new Promise<void>((go) => this.#waiting.push(go));
  }

  /** Rejects when the link is lost: answers to earlier requests will not arrive. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  /** Something could not be written or read. */
  lost(error: unknown): void {
    if (this.isOver) return;
    if (error instanceof StreamReplaced) return this.#replaced(error);
    this.#refusal = cannotReach(error);
    this.#broken.reject(error);
    this.#broken = createBreak();
    if (this.#state !== 'usable') return;
    this.#state = 'lost';
    void this.#recover();
  }

  /** Whether it will never be usable again: it is closed, or there is another stream in place of the one it had. */
  get isOver(): boolean {
    return this.#closed || this.#isReplaced;
  }

  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Reports something to those who watch the journal. */
  tell(event: JournalEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Appends were refused. */
  writeFailed(refusal: Refusal<'unavailable'>): void {
    this.tell({ type: 'write_failed', refusal });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#looking);
    this.#release();
  }

  async #watchConnection(): Promise<void> {
    for await (const { type } of this.#options.connection.status()) {
      if (type === 'disconnect') {
        this.#isConnected = false;
        this.lost(new Error('the connection was lost'));
      } else if (type === 'reconnect') {
        this.#isConnected = true;
        this.#broken.reject(new Error('the connection is a new one'));
        this.#broken = createBreak();
      }
    }
    this.lost(new Error('the connection is closed'));
  }

  /**
   * Even a process that writes nothing must notice that the servers no longer answer, or that the one
   * that does has lost the others.
   */
  async #look(): Promise<void> {
    if (this.#state !== 'usable') return;
    await this.#options.catchUp({ isCertain: true }).catch((error: unknown) => this.lost(error));
  }

  async #recover(): Promise<void> {
    const patience = setTimeout(() => this.#fail(), this.#options.patience);
    while (!this.isOver) {
      try {
        // A request made without a connection waits for one, perhaps in vain.
        if (this.#isConnected) {
          this.#options.restart();
          await Promise.race([this.#options.catchUp({ isCertain: true }), this.broken]);
          break;
        }
      } catch (error) {
        if (error instanceof StreamReplaced) this.#replaced(error);
        else this.#refusal = cannotReach(error);
      }
      if (!this.isOver) await delay(RETRY);
    }
    clearTimeout(patience);
    if (this.isOver) return;
    const wasFailing = this.#state === 'failing';
    this.#state = 'usable';
    if (wasFailing) this.tell({ type: 'recovered' });
    this.#release();
    this.#options.onUsable();
  }

  /** For good: what was decided here is about records that are gone. */
  #replaced(error: StreamReplaced): void {
    this.#isReplaced = true;
    this.#refusal = cannotReach(error);
    this.#broken.reject(error);
    this.#fail();
    this.#release();
    this.#options.onReplaced();
  }

  #fail(): void {
    this.#state = 'failing';
    this.tell({ type: 'failing', refusal: this.#refusal });
    this.#options.onFailing(this.#refusal);
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

interface Break {
  readonly promise: Promise<never>;
  readonly reject: (error: unknown) => void;
}

function createBreak(): Break {
  const made: { reject?: (error: unknown) => void } = {};
  const promise = new Promise<never>((_, reject) => {
    made.reject = reject;
  });
  // Usually no one is waiting for an answer when this happens.
  promise.catch(() => {});
  return { promise, reject: (error) => made.reject?.(error) };
}
