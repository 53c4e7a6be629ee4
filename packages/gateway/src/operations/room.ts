import { randomUUID } from 'node:crypto';
import { type Envelope, GATEWAY, PROTOCOL, type Refusal, refuse } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import {
  changesGrants,
  type Member,
  type Proposal,
  presencePayload,
  seesProposal,
  welcomePayload,
} from '@proffer/core/operations';
import type { StoredRecord } from '@proffer/journal';
import {
  createFanOut,
  createStreams,
  createWatchers,
  deliverMessage,
  type FanOut,
  type Following,
  frameEnvelope,
  isStreamKind,
  readsStreams,
  type StoredOperation,
  type Streams,
} from '../delivery/index.js';
import { follow, refusalOf } from '../journal/index.js';
import type { Lodger, RemoteMember } from '../peers/index.js';
import { type Entering, standingNow } from './entering.js';
import type { RoomOptions } from './room-options.js';
import { createServing, type Server, type Serving } from './serving.js';
import { SpaceHost } from './space-host.js';
import type { Removed } from './stored-proposal.js';
import { type Incoming, refused, type Settle } from './submission.js';

/** How often those who are here are asked whether they still may be, in milliseconds. */
const INSPECTION = 1_000;

/** Messages that must be decided in the order in which they came: those of one connection. */
export interface Line {
  waiting?: Promise<unknown> | undefined;
  /** The connection as one that may serve tools; a single request cannot. */
  readonly server: Server;
  /** The connection as one that streams can come from. Default none. */
  following?: Following;
}

/** A space with the people in it: decides through its host, and brings everybody what became durable. */
export class Room {
  readonly host: SpaceHost;
  readonly fanOut: FanOut;
  readonly streams: Streams;
  readonly watchers = createWatchers();
  readonly #clock: () => number;
  readonly #members = new Map<string, Member>();
  readonly #serving: Serving;
  readonly #feed = new AbortController();
  readonly #options: RoomOptions;
  readonly #inspection: NodeJS.Timeout;
  #broken = false;

  private constructor(host: SpaceHost, fanOut: FanOut, options: RoomOptions) {
    this.host = host;
    this.fanOut = fanOut;
    this.streams = createStreams({ ...options, fanOut, presence: host.presence });
    this.#clock = options.clock;
    this.#options = options;
    this.#serving = createServing(options.peers);
    this.#inspection = setInterval(() => {
      void fanOut.dismissInTurns();
      this.watchers.wakeAll();
    }, INSPECTION);
    this.#inspection.unref();
  }

  /** Replays the history of the space and begins to follow it. */
  static async open(options: RoomOptions): Promise<Room> {
    const { journal, settings } = options;
    const gone = { notify: (_name: string) => {} };
    const { host, seq } = await SpaceHost.open({ ...options, onGone: (name) => gone.notify(name) });
    const room = new Room(host, createFanOut({ ...options, seq }), options);
    gone.notify = (name) => room.#announceLeaving(name);
    room
      .#pump(follow(journal, settings.name, { after: seq, signal: room.#feed.signal }), options.onRecords)
      .catch((error: unknown) => {
        room.#broken = true;
        options.onBroken(error);
      });
    return room;
  }

  /**
   * Decides an authorised message of somebody in the space, at once if it can. One that has to wait
   * for what it refers to holds up those that come after it on the same line, and nobody else. `settle` is called
   * once, when it is certain what became of it; perhaps before this returns.
   */
  take(incoming: Incoming, line: Line, settle: Settle): void {
    const { envelope } = incoming;
    if (isStreamKind(envelope.kind)) return settle(this.streams.take(envelope, line.following));
    const rival = this.#serving.check(envelope, line.server);
    if (rival !== undefined) return settle({ status: 'refused', refusal: rival });
    const missing = this.host.prepare(envelope);
    if (missing === undefined && line.waiting === undefined) this.host.submit(incoming, settle);
    else void this.#takeInTurn(incoming, line, missing, settle);
  }

  async #takeInTurn(
    incoming: Incoming,
    line: Line,
    missing: Promise<Removed> | undefined,
    settle: Settle,
  ): Promise<void> {
    const ready = this.#prepareInTurn(incoming, line.waiting, missing);
    line.waiting = ready;
    let removed: Removed | undefined;
    try {
      removed = await ready;
    } catch (error) {
      // The journal could not be read: the message was not decided, and those after it are not held up.
      this.#options.onFault(error);
      return settle(refused('The journal could not be read.'));
    } finally {
      if (line.waiting === ready) line.waiting = undefined;
    }
    this.host.submit(incoming, settle, removed);
  }

  /** When those before it are taken. What it refers to may have been let go again while it waited for them. */
  async #prepareInTurn(
    { envelope }: Incoming,
    before: Promise<unknown> | undefined,
    missing: Promise<Removed> | undefined,
  ): Promise<Removed | undefined> {
    await Promise.allSettled([before, missing]);
    return (await this.host.prepare(envelope)) ?? (await missing);
  }

  /**
   * Lets a connection in: a welcome (O-27), what it missed, then everything as it happens. The others
   * learn of it when it is the participant's first.
   *
   * @param after - the last `seq` that the peer saw; absent for nothing but what comes
   */
  enter(following: Following, entering: Entering, after: number | undefined): void {
    const { name } = entering;
    const member = this.#join(entering);
    const others = this.#others(name);
    const { state, settings } = this.host;
    const sees = (proposal: Proposal) => seesProposal(proposal, following, settings);
    const view = (proposal: Proposal) => this.host.view(proposal);
    const now = this.#clock();
    const payload = welcomePayload(state, member, { others, seq: this.fanOut.seq, now, sees, view });
    const streams = readsStreams(following) ? { active_streams: this.streams.seenBy(following) } : {};
    deliverMessage(following, { ...this.#say('system.welcome', { ...payload, ...streams }), to: [name] });
    this.fanOut.follow(following, after ?? this.fanOut.seq);
    this.host.dependents.about(name);
  }

  /**
   * Counts somebody as connected who has no connection of its own, but follows a proposal that it would run itself: what
   * is approved reaches it (O-26), and when it leaves without an answer, that is noticed (O-23). Returns how to end that.
   */
  attend(entering: Entering): () => void {
    this.#join(entering);
    this.host.dependents.about(entering.name);
    return () => this.#leave(entering.name);
  }

  #join(entering: Entering): Member {
    const { name } = entering;
    const current = standingNow(entering);
    const member = { name, capabilities: current?.capabilities.sources ?? [] };
    this.#members.set(name, member);
    const isNew = this.host.presence.join(name, () => standingNow(entering));
    if (isNew) this.#announce('join', member);
    if (current !== undefined) this.#options.peers?.entered(name, current);
    return member;
  }

  /**
   * The refusal of a place that the space has not reached: it was never given out, or what followed it is lost. Going on
   * from there would miss messages in silence (I-6).
   */
  async checkCursor(after: number): Promise<Refusal | undefined> {
    if (after <= this.fanOut.seq) return undefined;
    const seq = await this.#options.journal.lastSeq(this.host.settings.name, after).catch(refusalOf);
    if (typeof seq !== 'number') return seq;
    if (after <= seq) return undefined;
    const sentence = `after is ${after}, but the latest seq of the space is ${seq}.`;
    return refuse('future_cursor', sentence, { field: 'after', found: after, seq });
  }

  /** Lets a connection go. Its participant is absent when it was the last and the grace is over. */
  exit(following: Following): void {
    this.fanOut.unfollow(following);
    this.streams.leave(following);
    this.#leave(following.name);
  }

  #leave(name: string): void {
    this.host.presence.leave(name);
    this.#options.peers?.left(name);
  }

  /** Lets somebody take part who is connected to another gateway: it counts as connected here. */
  admit({ name, standing, serves }: RemoteMember): Lodger {
    const member = { name, capabilities: standing.capabilities.sources };
    this.#members.set(name, member);
    // What the other gateway told holds as of then: the configuration here may have been reloaded since (I-4).
    const current = () => this.#options.standingByName(name) ?? standing;
    if (this.host.presence.join(name, current)) this.#announce('join', member);
    this.host.dependents.about(name);
    const served = this.#serving.elsewhere(name);
    served.update(serves);
    return {
      update: (changed) => served.update(changed.serves),
      leave: () => {
        served.end();
        this.host.presence.leave(name);
      },
    };
  }

  /** Sends away those whose credential no longer counts, now and not only at the next look (I-4). */
  inspect(): void {
    this.fanOut.dismiss();
    this.watchers.wakeAll();
  }

  /** Takes no more messages, answers those that it took, then tells everybody to come back. */
  async close(): Promise<void> {
    await this.host.drain();
    const last = await this.#options.journal.lastSeq(this.host.settings.name);
    // At least once: the answers to what was refused go out in this turn of the event loop.
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.fanOut.seq < last && !this.#broken);
    clearInterval(this.#inspection);
    this.fanOut.end();
    this.watchers.end();
    this.#feed.abort();
    this.host.stop();
  }

  /** Takes records as they become durable; those of one turn of the event loop are delivered together. */
  async #pump(
    feed: AsyncIterable<readonly StoredRecord[]>,
    onRecords: (records: readonly StoredOperation[]) => void,
  ): Promise<void> {
    let waiting: StoredOperation[] = [];
    const flush = (): void => {
      const records = waiting;
      waiting = [];
      this.fanOut.deliver(records);
      this.watchers.tell(records);
      for (const record of records) if (changesGrants(record)) this.#welcomeAgain(record.facts.participant);
      onRecords(records);
    };
    for await (const records of feed) {
      if (waiting.length === 0) setImmediate(flush);
      for (const record of records as readonly StoredOperation[]) {
        this.host.fold(record);
        waiting.push(record);
      }
    }
  }

  #others(name: string): readonly Member[] {
    return this.host.presence
      .names()
      .filter((other) => other !== name)
      .map((other) => this.#members.get(other) ?? { name: other, capabilities: [] });
  }

  #announceLeaving(name: string): void {
    const member = this.#members.get(name) ?? { name, capabilities: [] };
    this.#members.delete(name);
    this.#announce('leave', member);
  }

  /** Mew clients know what they may do from a welcome alone: they get another one when that changes (O-41). */
  #welcomeAgain(name: string): void {
    const member = this.#members.get(name);
    if (member === undefined) return;
    const around = { others: this.#others(name), seq: this.fanOut.seq, now: this.#clock() };
    const payload = welcomePayload(this.host.state, member, around);
    const frame = frameEnvelope(MEW, { ...this.#say('system.welcome', payload), to: [name] });
    this.fanOut.relay(frame, (each) => each.name === name && each.reading.dialect === MEW.dialect);
  }

  #announce(event: 'join' | 'leave', member: Member): void {
    const payload = presencePayload(this.host.state, event, member);
    this.fanOut.announce(this.#say('system.presence', payload), member.name);
  }

  #say(kind: string, payload: JsonObject): Envelope {
    const ts = new Date(this.#clock()).toISOString();
    return { protocol: PROTOCOL, id: randomUUID(), ts, from: GATEWAY, kind, payload };
  }
}

const MEW = { dialect: 'mew/v0.4', framing: 'websocket' } as const;
