import { randomUUID } from 'node:crypto';
import { type Envelope, GATEWAY, PROTOCOL, type Refusal, refuse } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import {
  changesGrants,
  errorPayload,
  holdersOfGrantsBy,
  refuseKicked,
  refuseWhilePaused,
  type SpaceSettings,
  type SpaceState,
} from '@proffer/core/operations';
import type { Journal, StoredRecord } from '@proffer/journal';
import type { Deciding, Undecided } from '../closing.js';
import {
  createFanOut,
  createStreams,
  createWatchers,
  type FanOut,
  type Following,
  isStreamKind,
  readsStreams,
  type StoredOperation,
  type Streams,
} from '../delivery/index.js';
import { type AddSalts, follow, type Replay, refusalOf } from '../journal/index.js';
import type { RemoteMember, RemoteParticipant, SpacePeers } from '../peers/index.js';
import { type Attendance, createAttendance, type Entering } from './attendance.js';
import type { RightsByName } from './decision-context.js';
import { asksForSecret, type InvitingOptions, withNewToken } from './inviting.js';
import type { KeyChecks } from './passkeys.js';
import type { Removed } from './past/stored-proposal.js';
import { createRecheckBeforeRefusing, type RecheckBeforeRefusing } from './recheck-before-refusing.js';
import {
  announcesService,
  createServing,
  type ServingConnection,
  type ServingConnections,
} from './serving.js';
import { SpaceHost } from './space-host.js';
import {
  type Incoming,
  notDecided,
  refused,
  type SettleMessage,
  type SpaceMessageOutcome,
} from './space-message-outcome.js';

export interface LiveSpaceOptions {
  readonly journal: Journal;
  /** Default: values cannot be hidden in evidence. */
  readonly addSalts?: AddSalts | undefined;
  readonly settings: SpaceSettings;
  readonly replay: Replay;
  /** What a snapshot already contains of the history. Default: nothing. */
  readonly from?: SpaceState | undefined;
  /** Called with the state when history is read, before it changes. */
  readonly onReplayed?: ((state: SpaceState) => void) | undefined;
  readonly clock: () => number;
  readonly rightsByName: RightsByName;
  /** Why nobody can be invited under a name (O-51). Default: every name will do. */
  readonly checkInvitable?: ((name: string) => Refusal | undefined) | undefined;
  /** What keys are checked with (O-49). Default: none can be registered. */
  readonly keys?: KeyChecks | undefined;
  /** The other gateways, if there are some. */
  readonly peers?: SpacePeers | undefined;
  readonly absenceGrace: number;
  readonly maxUnread: number;
  readonly onRecords: (records: readonly StoredOperation[]) => void;
  readonly onFellBehind: () => void;
  /** An internal error. */
  readonly onFault: (error: unknown) => void;
  /** The journal's feed broke: nothing can be delivered any more. */
  readonly onBroken: (error: unknown) => void;
}

/** How often the rights of those who are here are re-checked, in milliseconds. */
const INSPECTION = 1_000;

const STOPPED = 'The space is stopped: its journal can no longer be followed.';

/** Messages that must be decided in order: those of one connection. */
export interface SenderQueue {
  waiting?: Promise<unknown> | undefined;
  /** The connection, if it may serve tools; a single request cannot. */
  readonly server: ServingConnection;
  /** The connection, if it may own streams. Default: none. */
  following?: Following;
}

/** A space and its participants: decides through its host, and delivers what became durable. */
export class LiveSpace implements Deciding {
  readonly host: SpaceHost;
  readonly fanOut: FanOut;
  readonly streams: Streams;
  readonly watchers = createWatchers();
  readonly #attendance: Attendance;
  readonly #serving: ServingConnections;
  /** Absent if no other gateway writes to the journal. */
  readonly #recheck: RecheckBeforeRefusing | undefined;
  readonly #inviting: InvitingOptions;
  readonly #feed = new AbortController();
  readonly #options: LiveSpaceOptions;
  readonly #inspection: NodeJS.Timeout;
  #broken = false;

  private constructor(host: SpaceHost, fanOut: FanOut, options: LiveSpaceOptions) {
    this.host = host;
    this.fanOut = fanOut;
    this.streams = createStreams({ ...options, fanOut, presence: host.presence });
    this.#options = options;
    this.#serving = createServing(options.peers);
    this.#inviting = {
      space: host.settings.name,
      checkInvitable: options.checkInvitable ?? (() => undefined),
      tell: (sender, kind, issued, about) => {
        for (const each of fanOut.connectionsOf(sender))
          fanOut.tell(each, this.#say(kind, sender, issued, about));
      },
    };
    const { streams } = this;
    this.#attendance = createAttendance({ ...options, host, fanOut, streams, serving: this.#serving });
    if (options.peers !== undefined)
      this.#recheck = createRecheckBeforeRefusing({ ...options, space: host.settings.name, seq: fanOut.seq });
    this.#inspection = setInterval(() => {
      void fanOut.dismissInTurns();
      this.watchers.wakeAll();
    }, INSPECTION);
    this.#inspection.unref();
  }

  /** Replays the history of the space and starts to follow it. */
  static async open(options: LiveSpaceOptions): Promise<LiveSpace> {
    const { journal, settings } = options;
    const gone = { notify: (_name: string) => {} };
    const { host, seq } = await SpaceHost.open({
      ...options,
      checkAssertion: options.keys?.check,
      onGone: (name) => gone.notify(name),
    });
    const liveSpace = new LiveSpace(host, createFanOut({ ...options, seq }), options);
    gone.notify = (name) => {
      liveSpace.#attendance.gone(name);
      liveSpace.streams.gone(name);
    };
    liveSpace
      .#pump(
        follow(journal, settings.name, { after: seq, signal: liveSpace.#feed.signal }),
        options.onRecords,
      )
      .catch((error: unknown) => {
        liveSpace.#broken = true;
        options.onBroken(error);
      });
    return liveSpace;
  }

  /**
   * Decides an authorised message of a participant, at once if possible. One that has to wait for what it
   * refers to delays those after it on the same line, and nobody else's. `settle` is called once, when the
   * outcome is certain; perhaps before this returns.
   */
  take(sent: Incoming, queue: SenderQueue, onSettled: SettleMessage): void {
    if (this.#broken) return onSettled(refused(STOPPED));
    const { incoming, settle } = asksForSecret(sent)
      ? withNewToken(sent, this.#inviting, onSettled)
      : { incoming: sent, settle: onSettled };
    const { envelope } = incoming;
    const aboutStream = isStreamKind(envelope.kind) ? this.#takeStream(envelope, queue) : undefined;
    if (aboutStream !== undefined) return settle(aboutStream);
    if (this.#recheck === undefined) return this.#take(incoming, queue, settle);
    this.#recheck.decide(queue, settle, (conclude, own) => this.#take(incoming, own, conclude));
  }

  /** Leaves no record, so nothing else finds out whether its sender is paused (O-54). */
  #takeStream(envelope: Envelope, { following }: SenderQueue): SpaceMessageOutcome | undefined {
    const refusal = refuseWhilePaused(this.host.state, envelope, this.#options.clock());
    return refusal === undefined ? this.streams.take(envelope, following) : { status: 'refused', refusal };
  }

  /** A key is checked before its registration is decided (O-49). Messages after it are not delayed. */
  async #takeNewKey(sent: Incoming, queue: SenderQueue, settle: SettleMessage): Promise<void> {
    const { keys, clock, settings, onFault } = this.#options;
    try {
      const newKey = await keys?.read(settings.name, sent.envelope, clock());
      if (newKey === undefined) return settle(refused('Keys cannot be registered here.'));
      if ('code' in newKey) return settle({ status: 'refused', refusal: newKey });
      this.#take({ ...sent, newKey }, queue, settle);
    } catch (error) {
      onFault(error);
      settle(notDecided(error));
    }
  }

  /** Decides a message that the sender's own capabilities do not allow; a grant may (O-41). */
  takeGranted(incoming: Incoming, violation: Refusal, queue: SenderQueue, settle: SettleMessage): void {
    const { envelope } = incoming;
    if (this.#broken) return settle(refused(STOPPED));
    const begin = (conclude: SettleMessage, own: SenderQueue): void => {
      const grant = this.host.grants.find(envelope);
      // What leaves no record cannot be counted.
      if (grant === undefined || isStreamKind(envelope.kind))
        conclude({ status: 'refused', refusal: violation });
      else this.#take({ ...incoming, grant }, own, conclude);
    };
    if (this.#recheck === undefined) begin(settle, queue);
    else this.#recheck.decide(queue, settle, begin);
  }

  #take(incoming: Incoming, queue: SenderQueue, settle: SettleMessage): void {
    if (incoming.envelope.kind === 'mcpx.register.key' && incoming.newKey === undefined)
      return void this.#takeNewKey(incoming, queue, settle);
    if (announcesService(incoming.envelope)) return this.#takeAnnouncement(incoming, queue, settle);
    const missing = this.host.prepare(incoming.envelope);
    if (missing === undefined && queue.waiting === undefined) this.host.submit(incoming, settle);
    else void this.#takeInTurn(incoming, queue, missing, settle);
  }

  /** Checked each time it is decided: another gateway may have let the participant serve meanwhile. */
  #takeAnnouncement(incoming: Incoming, queue: SenderQueue, settle: SettleMessage): void {
    const check = (): Refusal | undefined => this.#serving.check(incoming.envelope, queue.server);
    if (queue.waiting === undefined) this.host.submit({ ...incoming, check }, settle);
    else void this.#takeInTurn({ ...incoming, check }, queue, undefined, settle);
  }

  async #takeInTurn(
    incoming: Incoming,
    queue: SenderQueue,
    missing: Promise<Removed> | undefined,
    settle: SettleMessage,
  ): Promise<void> {
    const ready = this.#prepareInTurn(incoming, queue.waiting, missing);
    queue.waiting = ready;
    let removed: Removed | undefined;
    try {
      removed = await ready;
    } catch (error) {
      // The journal could not be read: the message was not decided, and those after it are not delayed.
      this.#options.onFault(error);
      return settle(notDecided(error));
    } finally {
      if (queue.waiting === ready) queue.waiting = undefined;
    }
    this.host.submit(incoming, settle, removed);
  }

  /**
   * When those before it are accepted. What it refers to may have been evicted again while it waited for
   * them.
   */
  async #prepareInTurn(
    { envelope }: Incoming,
    before: Promise<unknown> | undefined,
    missing: Promise<Removed> | undefined,
  ): Promise<Removed | undefined> {
    await Promise.allSettled([before, missing]);
    return (await this.host.prepare(envelope)) ?? (await missing);
  }

  /**
   * Admits a connection: a welcome (O-27), what it missed, then everything live. The others are told if it is
   * the participant's first.
   *
   * @param after - the last `seq` that the peer saw; absent for only new messages
   */
  enter(following: Following, entering: Entering, after: number | undefined): void {
    this.#attendance.welcome(following, this.#attendance.join(entering));
    this.fanOut.follow(following, after ?? this.fanOut.seq);
    this.host.dependents.about(entering.name);
  }

  /** Welcomes a connection once more, in the dialect that it has shown since it entered. */
  welcomeAgain(following: Following, { name, rights }: Entering): void {
    const current = rights();
    const capabilities = current.ok ? current.value.capabilities.sources : [];
    this.#attendance.welcome(following, { name, capabilities });
  }

  /** Tells a participant on its mew connections why a message was refused that it sent another way. */
  tellRefused(name: string, { refusal, about }: { readonly refusal: Refusal; readonly about: string }): void {
    const payload = errorPayload(refusal);
    for (const each of this.fanOut.connectionsOf(name))
      if (readsStreams(each)) this.fanOut.tell(each, this.#say('system.error', name, payload, about));
  }

  /** A message of the gateway to one participant that is not in the journal. */
  #say(kind: string, to: string, payload: JsonObject, about: string): Envelope {
    const ts = new Date(this.#options.clock()).toISOString();
    const said = { protocol: PROTOCOL, id: randomUUID(), ts, from: GATEWAY, to: [to], kind } as const;
    return { ...said, correlationId: about, payload };
  }

  /**
   * Counts a participant as connected that has no connection, but follows a proposal that it would run
   * itself: an approval reaches it (O-26), and its leaving without an answer is noticed (O-23). Returns a
   * function that ends that.
   */
  attend(entering: Entering): () => void {
    const { name } = entering;
    this.#attendance.join(entering);
    this.host.dependents.about(name);
    return () => this.#attendance.leave(name);
  }

  /**
   * The refusal of a position that the space has not reached: it was never issued, or what followed it is
   * lost. Continuing from there would silently miss messages (I-6).
   */
  async checkCursor(after: number): Promise<Refusal | undefined> {
    if (after <= this.fanOut.seq) return undefined;
    const seq = await this.#options.journal.lastSeq(this.host.settings.name, after).catch(refusalOf);
    if (typeof seq !== 'number') return seq;
    if (after <= seq) return undefined;
    const sentence = `after is ${after}, but the latest seq of the space is ${seq}.`;
    return refuse('future_cursor', sentence, { field: 'after', found: after, seq });
  }

  /** Removes a connection. Its participant is absent when it was the last and the grace period is over. */
  exit(following: Following, server: ServingConnection): void {
    this.fanOut.unfollow(following);
    this.streams.leave(following);
    this.#serving.ended(following.name, server);
    this.#attendance.leave(following.name);
  }

  /** Adds a participant that is connected to another gateway. */
  admit(member: RemoteMember): RemoteParticipant {
    return this.#attendance.admit(member);
  }

  /** Resolves when everything is known that other gateways had written by now. */
  async catchUp(): Promise<void> {
    await this.#recheck?.look();
  }

  /** Disconnects those whose credential is no longer valid, now and not only at the next check (I-4). */
  inspect(): void {
    this.fanOut.dismiss();
    this.watchers.wakeAll();
  }

  /** Accepts no more messages; resolves when those it accepted are answered and delivered. */
  async drain(): Promise<void> {
    await this.host.drain();
    const last = await this.#options.journal.lastSeq(this.host.settings.name);
    // At least once: answers to refused messages go out in this turn of the event loop.
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.fanOut.seq < last && !this.#broken && !this.#feed.signal.aborted);
  }

  undecided(): Undecided | undefined {
    return this.host.undecided();
  }

  /** Tells everyone to reconnect. */
  end(): void {
    clearInterval(this.#inspection);
    this.fanOut.end();
    this.watchers.end();
    this.#feed.abort();
    this.host.stop();
  }

  /** A participant that was removed; somebody may have let it in again since (O-52). */
  #remove(name: string): void {
    if (refuseKicked(this.host.state, name) === undefined) return;
    this.fanOut.remove(name);
    this.watchers.wakeAll();
    for (const holder of holdersOfGrantsBy(this.host.state, name)) this.#attendance.welcomeAgain(holder);
  }

  /** Collects records as they become durable; those of one turn of the event loop are delivered together. */
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
      for (const record of records)
        if (changesGrants(record)) this.#attendance.welcomeAgain(record.facts.participant);
        else if (record.type === 'invited') this.#attendance.invited(record);
        else if (record.type === 'kicked') this.#remove(record.facts.participant);
      onRecords(records);
    };
    for await (const records of feed) {
      if (waiting.length === 0) setImmediate(flush);
      for (const record of records as readonly StoredOperation[]) {
        this.host.fold(record);
        waiting.push(record);
      }
      const last = records.at(-1);
      if (last !== undefined) this.#recheck?.reached(last.seq);
    }
  }
}
