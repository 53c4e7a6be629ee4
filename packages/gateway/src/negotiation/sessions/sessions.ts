import { type Refusal } from '@proffer/core';
import {
  expiresAfter,
  isFinal,
  isSessionId,
  readingNames,
  refuseExisting,
  type SendCommand,
  type Session,
  type SessionCaller,
  type SessionCommand,
  type SessionContext,
  type SessionRecord,
  type SessionState,
  sessionDecider,
  sessionOfStream,
  sessionStream,
  statusAt,
} from '@proffer/core/negotiation';
import { createTally } from '../../door/index.js';
import {
  createWatch,
  Entity,
  type EntityOutcome,
  flushTogether,
  type Settle,
  settleWith,
  type Watch,
} from '../../host/index.js';
import type { AcceptedRecord } from '../runtime.js';
import type { Hosted } from './hosted.js';
import { createSessionIndex, inListOrder, type ListedSession } from './session-index.js';
import { checkOpen, decideWithoutSession, type OpenLimits, type SessionOutcome } from './session-outcome.js';
import type { SessionsOptions } from './sessions-options.js';

type AnySessionOutcome = EntityOutcome<SessionState, SessionRecord>;

/**
 * The sessions of a journal in this process. Those that can still change are in memory; a finished one is
 * evicted after a while and reloaded when needed.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #hosted = new Map<string, Hosted>();
  readonly #recalling = new Map<string, Promise<Hosted | undefined>>();
  readonly #open = createTally();
  readonly #index = createSessionIndex();
  readonly #watching: Watch<Session>;
  readonly #flushPolicy = flushTogether();
  #replaying = true;
  readonly #context = (): SessionContext => {
    const { clock, policies, modes } = this.#options;
    return { now: clock(), policies: policies(), modes };
  };

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#watching = createWatch<Session>({
      clock: options.clock,
      keepFor: options.keepFor,
      dueAt: (session) => {
        const last = expiresAfter(session);
        return last === undefined ? undefined : last + 1;
      },
      isOver: ({ status }) => isFinal(status),
      onDue: (id) => void this.expire(id),
      onOver: (ids) => {
        for (const id of ids) this.#index.remove(this.now(id));
        for (const id of ids) this.#hosted.delete(id);
      },
    });
  }

  /** The number of sessions in memory. */
  get size(): number {
    return this.#hosted.size;
  }

  /** Restores open sessions from a snapshot. */
  restore(sessions: Iterable<Session>): void {
    for (const session of sessions) {
      const hosted = Object.assign(this.#host(session.id), { owner: session.startedBy, isOpen: true });
      hosted.entity.restore(session, session.version);
      this.#open.add(session.startedBy);
    }
  }

  /** The durable states of those in memory. */
  *all(): Generator<Session> {
    for (const { entity } of this.#hosted.values()) if (entity.state !== undefined) yield entity.state;
  }

  /** Folds a record from the journal. */
  fold(id: string, record: AcceptedRecord): void {
    let hosted = this.#hosted.get(id);
    if (hosted === undefined) {
      // For an evicted session, only its end could still arrive.
      if (record.version !== 1) return;
      hosted = this.#host(id);
    }
    hosted.entity.fold(record);
    if (this.#replaying && hosted.entity.state !== undefined && isFinal(hosted.entity.state.status)) {
      this.#hosted.delete(id);
    }
  }

  /** Only now, with all of history known, can anything be due. */
  begin(): void {
    this.#replaying = false;
    for (const [id, { entity }] of this.#hosted) {
      this.#index.add(entity.state);
      this.#watching.see(id, entity.state);
    }
  }

  /** The durable state of a session, including what other gateways have acknowledged and the feed has not delivered. */
  async find(id: string): Promise<SessionState> {
    const entity = (await this.#recall(id))?.entity;
    const isOpen = entity?.state !== undefined && !isFinal(entity.state.status);
    return (await entity?.catchUp({ isCertain: isOpen })) === 'removed' ? undefined : entity?.state;
  }

  /** A session in memory, as of a record from the journal. */
  async asOf({ stream, version }: AcceptedRecord): Promise<SessionState> {
    const entity = this.#hosted.get(sessionOfStream(stream) ?? '')?.entity;
    if (entity !== undefined && entity.version < version) await entity.idle();
    return entity?.state;
  }

  /** The durable state of a session in memory. */
  now(id: string): SessionState {
    return this.#hosted.get(id)?.entity.state;
  }

  /** The sessions in memory that concern a caller, oldest first. */
  readableBy(rights: SessionCaller): readonly ListedSession[] {
    const names = readingNames(rights);
    if (names !== 'anyone') return this.#index.of(names);
    const all: ListedSession[] = [];
    for (const { entity } of this.#hosted.values()) if (entity.state !== undefined) all.push(entity.state);
    return all.sort(inListOrder);
  }

  /**
   * Decides a message.
   *
   * @param limits - of open sessions, for a start
   */
  send(command: SendCommand, limits: OpenLimits, settle: Settle<SessionOutcome>): void {
    const { session_id: id, message_type } = command.envelope;
    if (message_type === 'SessionStart' && isSessionId(id)) {
      settleWith(this.#start(command, limits), settle);
    } else {
      this.submit(id, command, settle);
    }
  }

  /** Decides anything but a start. */
  submit(id: string, command: SessionCommand, settle: Settle<SessionOutcome>): void {
    const hosted = this.#hosted.get(id);
    if (hosted === undefined) return settleWith(this.#submitRecalled(id, command), settle);
    hosted.entity.submitThen(command, this.#context, (outcome) => {
      settle(outcome.status === 'failed' ? outcome : this.#conclude(id, command, outcome));
    });
  }

  async #submitRecalled(id: string, command: SessionCommand): Promise<SessionOutcome> {
    const hosted = await this.#recall(id);
    if (hosted === undefined) return decideWithoutSession(command, this.#context());
    return this.#conclude(id, command, await hosted.entity.submit(command, this.#context));
  }

  #conclude(id: string, command: SessionCommand, outcome: AnySessionOutcome): SessionOutcome {
    if (outcome.status === 'removed') return decideWithoutSession(command, this.#context());
    const { state } = outcome;
    const now = this.#options.clock();
    // The timer is late, or the clock jumped ahead: the next reader finds it in the journal too (N-5).
    if (state !== undefined && !isFinal(state.status) && statusAt(state, now) === 'EXPIRED') {
      void this.expire(id);
    }
    return outcome;
  }

  /** Records that a session's time is up, if it is. */
  async expire(id: string): Promise<void> {
    const entity = this.#hosted.get(id)?.entity;
    if (entity === undefined) return;
    try {
      const outcome = await entity.submit({ type: 'expire', sessionId: id }, this.#context);
      if (outcome.status === 'refused') this.#watching.retry(id);
      // Not yet, after all: the clock was set back.
      else if (outcome.status === 'accepted') this.#watching.see(id, entity.state);
    } catch (error) {
      this.#options.onFault(error);
      this.#watching.retry(id);
    }
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    for (const { entity } of this.#hosted.values()) if (!entity.isIdle) await entity.idle();
  }

  stop(): void {
    this.#watching.stop();
  }

  async #start(command: SendCommand, limits: OpenLimits): Promise<SessionOutcome> {
    const { caller, envelope } = command;
    const id = envelope.session_id;
    const hosted = this.#hosted.get(id) ?? this.#host(id);
    // Counted when it is decided: many at once must not exceed the limit.
    let reserved = false;
    const check = (records: readonly SessionRecord[]): Refusal | undefined => {
      if (reserved || records[0]?.type !== 'session_started') return undefined;
      const open = { own: this.#open.count(caller.name), all: this.#open.total() };
      const tooMany = checkOpen(open, limits);
      if (tooMany !== undefined) return tooMany;
      this.#open.add(caller.name);
      reserved = true;
      return undefined;
    };
    try {
      const outcome = await hosted.entity.submit(command, this.#context, check);
      if (outcome.status !== 'removed') return outcome;
      return { status: 'refused', refusal: refuseExisting(id), state: undefined };
    } finally {
      if (reserved) this.#open.remove(caller.name);
      const isNothing = hosted.entity.state === undefined && hosted.entity.isIdle;
      if (isNothing && this.#hosted.get(id) === hosted) this.#hosted.delete(id);
    }
  }

  #host(id: string): Hosted {
    const hosted = this.#create(id);
    this.#hosted.set(id, hosted);
    return hosted;
  }

  #create(id: string): Hosted {
    const entity: Hosted['entity'] = new Entity({
      journal: this.#options.journal,
      stream: sessionStream(id),
      decider: sessionDecider,
      flushPolicy: this.#flushPolicy,
      onFault: this.#options.onFault,
      onChange: (session, records) => this.#see(id, session, { hosted, records }),
    });
    const hosted: Hosted = { entity, owner: '', isOpen: false };
    return hosted;
  }

  #see(
    id: string,
    session: SessionState,
    { hosted, records }: { readonly hosted: Hosted; readonly records: readonly SessionRecord[] },
  ): void {
    const [first] = records;
    if (first?.type === 'session_started') {
      hosted.owner = first.principal;
      if (!this.#replaying && this.#hosted.get(id) === hosted) this.#index.add(session);
    }
    const isOpen = session !== undefined && !isFinal(session.status);
    if (isOpen !== hosted.isOpen) {
      hosted.isOpen = isOpen;
      if (isOpen) this.#open.add(hosted.owner);
      else this.#open.remove(hosted.owner);
    }
    if (!this.#replaying) this.#watching.see(id, session);
  }

  /** The session, reloaded into memory if it was evicted. */
  async #recall(id: string): Promise<Hosted | undefined> {
    const known = this.#hosted.get(id);
    if (known !== undefined || !isSessionId(id)) return known;
    const recalling = this.#recalling.get(id) ?? this.#read(id);
    this.#recalling.set(id, recalling);
    try {
      return await recalling;
    } finally {
      this.#recalling.delete(id);
    }
  }

  async #read(id: string): Promise<Hosted | undefined> {
    const { journal } = this.#options;
    const { version, removed } = await journal.head(sessionStream(id));
    if (version === 0 || removed > 0) return undefined;
    const hosted = this.#create(id);
    for await (const record of journal.read(sessionStream(id))) {
      hosted.entity.fold(record as AcceptedRecord);
    }
    const known = this.#hosted.get(id);
    if (known !== undefined) {
      // The session's start arrived by the feed in the meantime: there must be only one, counted once.
      if (hosted.isOpen) this.#open.remove(hosted.owner);
      return known;
    }
    this.#hosted.set(id, hosted);
    this.#index.add(hosted.entity.state);
    return hosted;
  }
}
