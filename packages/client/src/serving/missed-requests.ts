import { correlationIds, GATEWAY } from '@proffer/core';
import type { Message } from '../connection/message.js';

/** How long to wait for the rest of what was missed if its end cannot be seen, in milliseconds. */
const PATIENCE = 1_000;

/** How many requests are kept; those beyond are not run, and their outcome becomes unknown. */
const MOST = 1_000;

/**
 * Requests that arrived while there was no connection. Whether one should still run is known once
 * everything missed has arrived: if its outcome was declared unknown in the meantime, others have
 * been told so, and it must not run any more (O-23).
 */
export class MissedRequests {
  readonly #run: (request: Message) => void;
  readonly #requests = new Map<string, Message>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: (request: Message) => void) {
    this.#run = run;
  }

  put(request: Message): void {
    if (this.#requests.size < MOST) this.#requests.set(request.id, request);
    this.#timer ??= setTimeout(() => this.flush(), PATIENCE);
  }

  /** @param until - the `seq` at which the missed part ends */
  take(message: Message, until: number): void {
    if (this.#requests.size === 0) return;
    const { kind, from, payload, seq = 0 } = message;
    const isUnknown = kind === 'system.notice' && from === GATEWAY && payload['notice'] === 'outcome_unknown';
    if (isUnknown && typeof payload['request'] === 'string') this.#requests.delete(payload['request']);
    if (kind.startsWith('mcp.response')) {
      for (const request of correlationIds(message)) this.#requests.delete(request);
    }
    if (seq >= until) this.flush();
  }

  /** Runs what is left. */
  flush(): void {
    const requests = [...this.#requests.values()];
    this.clear();
    for (const request of requests) this.#run(request);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#requests.clear();
  }
}
