import { authorize } from '../../../capability/authorize.js';
import { correlationIds, type Envelope } from '../../../envelope/envelope.js';
import type { DecisionContext } from '../../context.js';
import { endSession, grantFor } from '../../grants/use.js';
import type { OperationRecord } from '../../records.js';
import { decideInSpace, reviewInSpace } from '../../space/decide-in-space.js';
import { isRepeat } from '../../space/recent-ids.js';
import { emptySpace, evolveSpace, type SpaceState } from '../../space/space.js';
import type { SpaceDecision } from '../../space/space-decision.js';
import { cheapHash } from './call.js';
import { rightsOf } from './cast.js';
import type { Random } from './random.js';
import type { Scenario } from './scenario.js';

/** A record in the journal, and how far its gateway had read the journal when it decided that. */
export interface Written {
  readonly record: OperationRecord;
  readonly known: number;
}

type Decide = (space: SpaceState, gateway: Gateway) => SpaceDecision;

/** A decision that is not in the journal yet. */
interface Waiting {
  readonly decide: Decide;
  readonly decision: SpaceDecision;
  readonly known: number;
}

/** A gateway: the durable state as far as it has read, its decisions on top of that, and its clock. */
interface Gateway {
  durable: SpaceState;
  newest: SpaceState;
  read: number;
  waiting: Waiting[];
  readonly skew: number;
}

/** Events that are not in the journal. */
export interface Mishaps {
  conflicts: number;
  kills: number;
  /** Decided, and lost by a kill before it was durable. */
  lost: number;
  /** Killed between two appends of one decision. */
  cut: number;
}

const MAX_ATTEMPTS = 5;

/**
 * Two gateways on one journal. Each decides ahead of the disk and may lag behind the other; conflicts
 * are decided again; a kill loses what is not durable. Nothing is sealed, since that is tested
 * elsewhere.
 */
export class TwoGateways {
  readonly journal: Written[] = [];
  readonly mishaps: Mishaps = { conflicts: 0, kills: 0, lost: 0, cut: 0 };
  readonly absent = new Set<string>();
  now = 1_000_000;
  readonly #heads = new Map<string, number>();
  readonly #gateways: readonly [Gateway, Gateway];
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #onRecord: (record: OperationRecord) => void;

  constructor(scenario: Scenario, random: Random, onRecord: (record: OperationRecord) => void) {
    this.#scenario = scenario;
    this.#random = random;
    this.#onRecord = onRecord;
    const empty = emptySpace(scenario.settings);
    const gateway = (skew: number): Gateway => ({
      durable: empty,
      newest: empty,
      read: 0,
      waiting: [],
      skew,
    });
    this.#gateways = [gateway(0), gateway(random.pick([0, 150, -150]))];
  }

  /**
   * Sends a message to one of them: like a real gateway, it checks the sender's rights first, then its
   * grants.
   */
  send(envelope: Envelope): void {
    const gateway = this.#choose();
    const sender = rightsOf(this.#scenario.rights, envelope.from);
    if (sender === undefined) return;
    if (this.#names(envelope, gateway)) this.#refresh(gateway);
    const around = this.#contextAt(gateway);
    const isAllowed = authorize(sender.capabilities, envelope) === undefined;
    const grant = isAllowed ? undefined : (grantFor(gateway.durable, envelope, around)?.id ?? '');
    if (grant === '' && !isRepeat(gateway.durable, envelope, around.now)) return;
    this.#decide(gateway, (space, by) =>
      decideInSpace(space, envelope, { ...this.#contextAt(by), sender, grant }),
    );
  }

  /** One of them checks a proposal. */
  review(id: string): void {
    this.#decide(this.#choose(), (space, by) => reviewInSpace(space, id, this.#contextAt(by)));
  }

  /** A participant leaves: one of them ends the grants that last as long as it is present. */
  leave(name: string): void {
    this.absent.add(name);
    this.#decide(this.#choose(), (space, by) => {
      const append = endSession(space, name, this.now + by.skew);
      return { appends: append === undefined ? [] : [append] };
    });
  }

  /**
   * One of them is killed: its decisions that were not durable are lost, and it restarts from the
   * journal.
   */
  kill(gateway: Gateway = this.#random.pick(this.#gateways)): void {
    this.mishaps.kills++;
    this.mishaps.lost += gateway.waiting.length;
    this.#restart(gateway);
  }

  /** Writes all decisions to the journal. */
  settle(): void {
    for (const gateway of this.#gateways) this.#flush(gateway);
  }

  #restart(gateway: Gateway): void {
    const empty = emptySpace(this.#scenario.settings);
    Object.assign(gateway, { durable: empty, newest: empty, read: 0, waiting: [] });
    this.#refresh(gateway);
  }

  #choose(): Gateway {
    const gateway = this.#random.pick(this.#gateways);
    // It may be behind, and learns of that only when it writes.
    if (gateway.waiting.length === 0 && !this.#random.once(3)) this.#refresh(gateway);
    return gateway;
  }

  /** Whether a message names a proposal that is in the journal and that this gateway has not read yet. */
  #names(envelope: Envelope, { newest }: Gateway): boolean {
    const { depends_on: before } = envelope.payload;
    const named = [envelope.id, ...correlationIds(envelope), ...((before as readonly string[]) ?? [])];
    return named.some((id) => !newest.proposals.has(id) && this.#heads.has(`main/proposal/${id}`));
  }

  #decide(gateway: Gateway, decide: Decide): void {
    const { newest, read: known } = gateway;
    const decision = decide(newest, gateway);
    if (decision.appends === undefined || decision.appends.length === 0) return;
    gateway.waiting.push({ decide, decision, known });
    for (const { records } of decision.appends)
      for (const record of records) gateway.newest = evolveSpace(gateway.newest, record);
    if (!this.#random.once(4)) this.#flush(gateway);
  }

  /** Writes what is queued, in order; whatever follows a failure is decided again. */
  #flush(gateway: Gateway): void {
    const { waiting } = gateway;
    gateway.waiting = [];
    for (const [index, { decision, known }] of waiting.entries()) {
      const written = this.#append(decision, known);
      if (written === 'all') continue;
      const rest = waiting.slice(index);
      if (written === 'cut') {
        this.mishaps.lost += rest.length;
        return this.kill(gateway);
      }
      for (const { decide } of rest) if (!this.#decideAgain(gateway, decide)) return;
      break;
    }
    this.#refresh(gateway);
  }

  #decideAgain(gateway: Gateway, decide: Decide): boolean {
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      this.#refresh(gateway);
      const written = this.#append(decide(gateway.newest, gateway), gateway.read);
      if (written === 'all') return true;
      if (written === 'cut') {
        this.kill(gateway);
        return false;
      }
    }
    return true;
  }

  #append({ appends = [], inOrder }: SpaceDecision, known: number): 'all' | 'some' | 'cut' {
    let isWhole = true;
    for (const [index, { stream, expectedVersion, records }] of appends.entries()) {
      if (inOrder === true && index > 0 && this.#random.once(12)) {
        this.mishaps.cut++;
        return 'cut';
      }
      if ((this.#heads.get(stream) ?? 0) !== expectedVersion) {
        this.mishaps.conflicts++;
        isWhole = false;
        if (inOrder === true) break;
        continue;
      }
      this.#heads.set(stream, expectedVersion + records.length);
      for (const record of records) {
        this.journal.push({ record, known });
        this.#onRecord(record);
      }
    }
    return isWhole ? 'all' : 'some';
  }

  /** Reads what is new; requires an empty queue. */
  #refresh(gateway: Gateway): void {
    if (gateway.waiting.length > 0) return this.#flush(gateway);
    for (; gateway.read < this.journal.length; gateway.read++) {
      const written = this.journal[gateway.read];
      if (written !== undefined) gateway.durable = evolveSpace(gateway.durable, written.record);
    }
    gateway.newest = gateway.durable;
  }

  #contextAt(gateway: Gateway): DecisionContext {
    const isPresent = (name: string): boolean => !this.absent.has(name);
    return {
      now: this.now + gateway.skew,
      isPresent,
      rightsOf: (name) => rightsOf(this.#scenario.rights, name),
      durableOf: (id) => gateway.durable.proposals.get(id),
      hash: cheapHash,
    };
  }
}
