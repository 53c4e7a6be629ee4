import { isJsonObject, type JsonObject } from '@proffer/core/json';
import {
  type DefaultPolicy,
  describeSession,
  listPolicies,
  lookUpIn,
  MODE_STREAM,
  type ModeLookup,
  type ModeRecord,
  modeRegistry,
  NEGOTIATION_SPACE,
  POLICY_STREAM,
  type PolicyRecord,
  type PolicyRegistry,
  policyRegistry,
  type Session,
  type SignalEnvelope,
  sessionOfStream,
} from '@proffer/core/negotiation';
import type { Journal, StoredRecord } from '@proffer/journal';
import type { Deciding, Undecided } from '../closing.js';
import { Broadcast, createSemaphore, Followers } from '../delivery/index.js';
import { Entity } from '../host/index.js';
import { follow, type Replay, replayAlone } from '../journal/index.js';
import type { Peers } from '../peers/index.js';
import type { AcceptedRecord, PoliciesChanged, RegistryChanged, SessionLifecycleEvent } from './runtime.js';
import { lifecycleEventOf } from './sessions/lifecycle-event.js';
import { LISTS_AT_ONCE } from './sessions/list-sessions.js';
import { Sessions } from './sessions/sessions.js';

export interface NegotiationRuntimeOptions {
  readonly journal: Journal;
  /** The default rules for a session that names no policy. Default: `guide`. */
  readonly defaultPolicy?: DefaultPolicy;
  /** How history is read. Default: on its own. */
  readonly replay?: Replay;
  /** The sessions in a snapshot, so that their records need not be read. Default: none. */
  readonly from?: Iterable<Session> | undefined;
  /** Called with the open sessions when history is read, before they change. */
  readonly onReplayed?: ((sessions: Iterable<Session>) => void) | undefined;
  readonly clock: () => number;
  readonly maxUnread: number;
  /** The other gateways on the journal, if there are some. */
  readonly peers?: Pick<Peers, 'channel'> | undefined;
  /** A record of a session became known, from history or live. Default: nobody wants to know. */
  readonly onSessionRecord?: ((record: AcceptedRecord) => void) | undefined;
  /** Records became durable. */
  readonly onRecords: (records: readonly StoredRecord[]) => void;
  readonly onFellBehind: () => void;
  /** An internal error occurred. */
  readonly onFault: (error: unknown) => void;
  /** The journal's feed broke: nothing can be delivered any more. */
  readonly onBroken: (error: unknown) => void;
}

/** What happened to a session, and the session itself, which determines who may see it. */
export interface LifecycleNotice {
  readonly session: Session;
  readonly event: SessionLifecycleEvent;
}

/** How long a finished session stays in memory, in milliseconds. */
const KEEP_FOR = 60_000;

/** How often listeners' rights are re-checked, in milliseconds. */
const INSPECTION = 1_000;

/** The shared part of all negotiations: state, and its followers. */
export class NegotiationRuntime implements Deciding {
  readonly sessions: Sessions;
  readonly policies;
  readonly modes;
  readonly followers: Followers;
  /** Limits concurrent session lists. */
  readonly listing = createSemaphore(LISTS_AT_ONCE);
  /** Connections that follow nothing. */
  readonly present: Broadcast<never>;
  readonly lifecycle: Broadcast<LifecycleNotice>;
  readonly signals: Broadcast<SignalEnvelope>;
  readonly policyChanges: Broadcast<PoliciesChanged>;
  readonly modeChanges: Broadcast<RegistryChanged>;
  readonly rootChanges: Broadcast<RegistryChanged>;
  readonly #options: NegotiationRuntimeOptions;
  readonly #tellSignal: ((say: JsonObject) => boolean) | undefined;
  readonly #feed = new AbortController();
  readonly #inspection: NodeJS.Timeout;
  #policyList: { readonly state: PolicyRegistry; readonly list: PoliciesChanged } | undefined;
  /** The last `seq` that was delivered to followers. */
  #seq = 0;
  #broken = false;
  /** Calls that may still append. */
  #busy = 0;
  #stopping = false;
  #onQuiet = (): void => {};

  private constructor(options: NegotiationRuntimeOptions) {
    const { journal, onFault } = options;
    this.#options = options;
    this.policies = new Entity({ journal, stream: POLICY_STREAM, decider: policyRegistry, onFault });
    this.modes = new Entity({ journal, stream: MODE_STREAM, decider: modeRegistry, onFault });
    const policies = () => lookUpIn(this.policies.state, this.defaultPolicy);
    const modes: ModeLookup = (mode) => this.modes.state.get(mode)?.descriptor;
    this.sessions = new Sessions({ ...options, policies, modes, keepFor: KEEP_FOR });
    this.followers = new Followers(options);
    this.present = new Broadcast(options);
    this.lifecycle = new Broadcast(options);
    this.signals = new Broadcast(options);
    this.#tellSignal = options.peers?.channel('signals', ({ signal }) => {
      if (isJsonObject(signal)) this.signals.tell(signal as SignalEnvelope);
    });
    this.policyChanges = new Broadcast(options);
    this.modeChanges = new Broadcast(options);
    this.rootChanges = new Broadcast(options);
    this.#inspection = setInterval(() => this.inspect(), INSPECTION);
    this.#inspection.unref();
  }

  /** Folds the history, then starts to follow it. Until this resolves the runtime is not ready. */
  static async open(options: NegotiationRuntimeOptions): Promise<NegotiationRuntime> {
    const negotiation = new NegotiationRuntime(options);
    const { journal, replay = replayAlone(journal), from } = options;
    try {
      // Both at once: history is read for those who have asked before it begins.
      const restoring = from === undefined ? undefined : negotiation.#restore(from);
      const fold = (record: StoredRecord): void => negotiation.#fold(record, sessionOfStream(record.stream));
      [negotiation.#seq] = await Promise.all([replay(NEGOTIATION_SPACE, fold), restoring]);
    } catch (error) {
      negotiation.#stop();
      throw error;
    }
    options.onReplayed?.(negotiation.sessions.all());
    negotiation.sessions.begin();
    negotiation.#pump().catch((error: unknown) => {
      negotiation.#broken = true;
      options.onBroken(error);
    });
    return negotiation;
  }

  get clock(): () => number {
    return this.#options.clock;
  }

  get defaultPolicy(): DefaultPolicy {
    return this.#options.defaultPolicy ?? 'guide';
  }

  get journal(): Journal {
    return this.#options.journal;
  }

  /** Runs something that may append; `undefined` once the runtime is closing. */
  async run<Value>(task: () => Promise<Value>): Promise<Value | undefined> {
    if (!this.enter()) return undefined;
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  /**
   * Starts something that may append, and that {@link leave} ends; false, and nothing is started, once the
   * runtime is closing, or its journal can no longer be followed.
   */
  enter(): boolean {
    if (this.#stopping || this.#broken) return false;
    this.#busy++;
    return true;
  }

  leave(): void {
    if (--this.#busy === 0) this.#onQuiet();
  }

  /** An internal error occurred. */
  report(error: unknown): void {
    this.#options.onFault(error);
  }

  /** The policies that a session may currently name. */
  policyList(): PoliciesChanged {
    const { state } = this.policies;
    // One object for all callers, so that it is serialised once.
    if (this.#policyList?.state !== state) {
      const list = {
        descriptors: listPolicies(state, this.defaultPolicy),
        observed_at_unix_ms: this.clock(),
      };
      this.#policyList = { state, list };
    }
    return this.#policyList.list;
  }

  /** Delivers a signal to all listeners, at this gateway and the others. False if it is too large for the others. */
  passOn(signal: SignalEnvelope): boolean {
    if (this.#tellSignal?.({ signal }) === false) return false;
    this.signals.tell(signal);
    return true;
  }

  /** Disconnects those whose credential is no longer valid (I-4). */
  inspect(): void {
    for (const group of this.#groups()) group.dismiss();
  }

  /** Accepts no more messages; resolves when those it accepted are answered and delivered. */
  async drain(): Promise<void> {
    this.#stopping = true;
    if (this.#busy > 0) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve;
      });
    }
    await this.sessions.idle();
    const last = await this.journal.lastSeq(NEGOTIATION_SPACE);
    // At least once: answers to refused messages go out in this turn of the event loop.
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#seq < last && !this.#broken && !this.#feed.signal.aborted);
  }

  undecided(): Undecided | undefined {
    return this.#busy === 0 ? undefined : { space: NEGOTIATION_SPACE, count: this.#busy, ids: [] };
  }

  /** Tells everyone to reconnect. */
  end(): void {
    for (const group of this.#groups()) group.end();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#inspection);
    this.#feed.abort();
    this.sessions.stop();
  }

  #groups(): readonly { dismiss(): void; end(): void }[] {
    const { followers, present, lifecycle, signals, policyChanges, modeChanges, rootChanges } = this;
    return [followers, present, lifecycle, signals, policyChanges, modeChanges, rootChanges];
  }

  async #pump(): Promise<void> {
    const { journal, onRecords } = this.#options;
    const tuning = { after: this.#seq, signal: this.#feed.signal };
    for await (const records of follow(journal, NEGOTIATION_SPACE, tuning)) {
      onRecords(records);
      for (const record of records) {
        const sessionId = sessionOfStream(record.stream);
        this.#fold(record, sessionId);
        const telling = this.#tell(record, sessionId);
        if (telling !== undefined) await telling;
        this.#seq = record.seq;
      }
    }
  }

  /** Delivers a record to followers; the next one waits for the returned promise. */
  #tell(record: StoredRecord, sessionId: string | undefined): Promise<void> | undefined {
    if (sessionId === undefined) return this.#announce(record);
    const accepted = record as AcceptedRecord;
    this.followers.deliver(sessionId, accepted);
    const event = this.lifecycle.isHeard ? lifecycleEventOf(accepted) : undefined;
    return event === undefined ? undefined : this.#tellOfLife(accepted, event);
  }

  #fold(record: StoredRecord, sessionId: string | undefined): void {
    if (sessionId !== undefined) {
      this.sessions.fold(sessionId, record as AcceptedRecord);
      this.#options.onSessionRecord?.(record as AcceptedRecord);
    } else if (record.stream === POLICY_STREAM) this.policies.fold(record as StoredRecord<PolicyRecord>);
    else if (record.stream === MODE_STREAM) this.modes.fold(record as StoredRecord<ModeRecord>);
  }

  /**
   * Reads all sessions at once. Policies and modes are few, and in their own streams: they are read
   * completely.
   */
  async #restore(sessions: Iterable<Session>): Promise<void> {
    this.sessions.restore(sessions);
    for (const stream of [POLICY_STREAM, MODE_STREAM])
      for await (const record of this.journal.read(stream)) this.#fold(record, undefined);
  }

  async #tellOfLife(record: AcceptedRecord, event_type: SessionLifecycleEvent['event_type']): Promise<void> {
    const session = await this.sessions.asOf(record);
    if (session === undefined) return;
    const now = this.clock();
    const event = { event_type, session: describeSession(session, now), observed_at_unix_ms: now };
    this.lifecycle.tell({ session, event });
  }

  async #announce(record: StoredRecord): Promise<void> {
    const entity = record.stream === POLICY_STREAM ? this.policies : this.modes;
    if (entity.version < record.version) await entity.idle();
    if (record.stream === POLICY_STREAM) this.policyChanges.tell(this.policyList());
    else this.modeChanges.tell({ registry: 'modes', observed_at_unix_ms: this.clock() });
  }
}
