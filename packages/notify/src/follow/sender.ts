import { defined } from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import { type DecisionAccess, type RenderOptions, render } from '../content/notification.js';
import { hashButton, hashKey, LINK_LIFETIME, makeKey } from '../links/key.js';
import { isBeingSent, nextMoment } from '../outbox/decide.js';
import type { DecisionLink, OutboxMessage } from '../outbox/outbox.js';
import { OutboxStore } from './outbox-store.js';
import type { ChannelRoute } from './route.js';

export interface SenderOptions {
  readonly route: ChannelRoute;
  readonly store: OutboxStore;
  readonly clock: () => number;
  readonly linkTo: RenderOptions['linkTo'];
  /** The address of decision links; absent: no such links. */
  readonly decideAt?: DecideAt | undefined;
  readonly lookUp: LookUp;
  /** Whether the recipient was removed from the space: then nothing is sent. Default: nobody was. */
  readonly isRemoved?: ((route: ChannelRoute) => boolean) | undefined;
  /** Identifies this sender; unique per gateway. */
  readonly instance: string;
  readonly onAttempt: (route: ChannelRoute, result: 'sent' | 'failed' | 'parked', why?: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** Where a key is posted, and the page that asks for confirmation. */
export type DecideAt = (key: string) => DecisionAccess;

/**
 * What a message about a proposal stands for: who would run it now, and what they announced. `undefined` if nobody
 * could, or the recipient may not see it.
 */
export type LookUp = (route: ChannelRoute, proposal: string) => Promise<ShownVersion | undefined>;

/** How long one attempt may take, in milliseconds. After that another gateway may try. */
const PATIENCE = 30_000;
/** The margin between the end of an attempt and the moment when another gateway may start. */
const MARGIN = 10_000;
/** How soon to check again after the journal could not be written. */
const AFTER_FAULT = 5_000;
/** The longest delay a timer supports. */
const FAR = 2 ** 31 - 1;

type About = Pick<DecisionLink, 'proposal' | 'digest'>;

/** Sends what is due in one outbox, one message after another. */
export class OutboxSender {
  readonly #options: SenderOptions;
  readonly #stopping = new AbortController();
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Checks whether anything is due. Call it after the outbox changed. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#stopping.signal.aborted) this.#running ??= this.#work();
  }

  /** Aborts the current attempt: its outcome is unknown here, so it is sent again under the same id. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#timer);
    let next: number | undefined;
    while (this.#isWanted && !this.#stopping.signal.aborted) {
      this.#isWanted = false;
      try {
        next = await this.#sendDue();
      } catch (error) {
        this.#options.onFault(error);
        next = this.#options.clock() + AFTER_FAULT;
      }
    }
    this.#running = undefined;
    this.#sleep(next);
  }

  /** @returns when to check again; `undefined` if nothing happens by time alone */
  async #sendDue(): Promise<number | undefined> {
    const { store, route, clock } = this.#options;
    for (;;) {
      await store.tell({ type: 'look' });
      if (this.#stopping.signal.aborted) return undefined;
      const now = clock();
      const due = [...store.state.messages.values()].find(
        (message) => message.dueAt <= now && !isBeingSent(message, now),
      );
      if (due === undefined) return nextMoment(store.state, route.settings, now);
      await this.#send(due, now);
    }
  }

  async #send(message: OutboxMessage, now: number): Promise<void> {
    const { store, route, linkTo, instance, onAttempt } = this.#options;
    const until = now + PATIENCE + MARGIN;
    const access = this.#accessFor(message);
    const seen = await this.#seenIn(message);
    const isButton = route.channel.hasButtons === true;
    const link = access && {
      ...access.about,
      ...defined({ seen }),
      hash: isButton ? hashButton(access.key) : hashKey(access.key),
      expiresAt: now + LINK_LIFETIME,
    };
    const begin = { type: 'begin', message: message.id, by: instance, until } as const;
    await store.tell({ ...begin, ...defined({ link }) });
    const begun = store.state.messages.get(message.id);
    // Another gateway may have been first.
    if (begun?.attempt?.by !== instance) return;
    const decision = isButton ? undefined : access && this.#options.decideAt?.(access.key);
    const buttonKey = isButton ? access?.key : undefined;
    const options = { recipient: route.participant, now, linkTo, decision, buttonKey, seen };
    const notification = render(begun, store.state.threads, options);
    const stop = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PATIENCE)]);
    const isForNobody = notification === undefined || this.#options.isRemoved?.(route) === true;
    const delivery = isForNobody ? { ok: true as const } : await route.channel.deliver(notification, stop);
    if (!delivery.ok && this.#stopping.signal.aborted) return;
    const result = { message: message.id, by: instance };
    if (delivery.ok) {
      const { receipt } = delivery;
      await store.tell({ type: 'sent', ...result, ...defined({ receipt }) });
      onAttempt(route, 'sent');
      return;
    }
    const { why, final, retryAt } = delivery;
    await store.tell({ type: 'failed', ...result, why, final, ...defined({ retryAfter: retryAt }) });
    onAttempt(route, store.state.messages.has(message.id) ? 'failed' : 'parked', why);
  }

  async #seenIn({ kind, proposals }: OutboxMessage): Promise<ShownVersion | undefined> {
    const [only, ...others] = proposals;
    if (kind === 'ended' || only === undefined || others.length > 0) return undefined;
    return await this.#options.lookUp(this.#options.route, only);
  }

  /** A key for the single proposal that a message asks about, if a link or a button may decide it. */
  #accessFor({
    kind,
    proposals,
  }: OutboxMessage): { readonly key: string; readonly about: About } | undefined {
    const { store, route, decideAt } = this.#options;
    const [only, ...others] = proposals;
    const thread = only === undefined ? undefined : store.state.threads.get(only);
    const isAsking = kind !== 'ended' && others.length === 0;
    const { isPrivate, hasButtons } = route.channel;
    const isAllowed = hasButtons === true || (decideAt !== undefined && isPrivate);
    if (!isAllowed || !isAsking || thread === undefined) return undefined;
    const { proposal, digest } = thread.summary;
    return { key: makeKey(store.stream), about: { proposal, digest } };
  }

  #sleep(until: number | undefined): void {
    if (until === undefined || this.#stopping.signal.aborted) return;
    const wait = Math.min(Math.max(0, until - this.#options.clock()), FAR);
    this.#timer = setTimeout(() => this.wake(), wait);
    this.#timer.unref();
  }
}
