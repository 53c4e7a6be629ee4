import type { Envelope } from '../../../envelope/envelope.js';
import type { Surroundings } from '../../context.js';
import { isProposalRecord, type OperationRecord, streamOf } from '../../records.js';
import type { ReviewPolicy } from '../../review/policy.js';
import { type SpaceSettings, spaceSettings } from '../../settings.js';
import { decideInSpace, reviewInSpace, type SpaceDecision } from '../../space/decide-in-space.js';
import { emptySpace, evolveSpace, type SpaceState } from '../../space/space.js';
import type { Random } from './random.js';
import { standingOf } from './scenario.js';

/** A gateway: what it knows of the journal, and how far it has read it. */
interface Gateway {
  space: SpaceState;
  read: number;
}

/** Two gateways on one journal, with lag, conflicts and kills; nothing is sealed, since that is tested elsewhere. */
export class TwoGateways {
  readonly journal: OperationRecord[] = [];
  now = 1_000_000;
  readonly hash = cheapHash;
  readonly #heads = new Map<string, number>();
  readonly #gateways: readonly [Gateway, Gateway];
  readonly #settings: SpaceSettings;
  readonly #random: Random;

  constructor(review: ReviewPolicy, random: Random) {
    this.#random = random;
    this.#settings = spaceSettings({ name: 'main', review, answerTimeout: 60_000 });
    this.#gateways = [this.#fresh(), this.#fresh()];
  }

  /** Somebody sends a message to one of them. */
  send(envelope: Envelope): void {
    this.#decide((space) => decideInSpace(space, envelope, this.#surroundings(envelope.from)));
  }

  /** One of them looks at a proposal. */
  review(id: string): void {
    this.#decide((space) => reviewInSpace(space, id, this.#surroundings('')));
  }

  /** One of them is killed, and begins again with what is in the journal. */
  kill(): void {
    Object.assign(this.#random.pick(this.#gateways), this.#fresh());
  }

  #fresh(): Gateway {
    return { space: emptySpace(this.#settings), read: 0 };
  }

  #decide(decide: (space: SpaceState) => SpaceDecision): void {
    const gateway = this.#random.pick(this.#gateways);
    // It may be behind, and learns of that only when it writes.
    if (!this.#random.once(3)) this.#catchUp(gateway);
    for (let attempt = 0; attempt < 5; attempt++) {
      const { appends = [], inOrder } = decide(gateway.space);
      let isWritten = true;
      for (const { stream, expectedVersion, records } of appends) {
        if ((this.#heads.get(stream) ?? 0) === expectedVersion) {
          this.#heads.set(stream, expectedVersion + records.length);
          this.journal.push(...records);
        } else {
          isWritten = false;
          if (inOrder === true) break;
        }
        // Cut off between two appends of one decision.
        if (inOrder === true && this.#random.once(20)) return this.kill();
      }
      this.#catchUp(gateway);
      if (isWritten) return;
    }
  }

  #catchUp(gateway: Gateway): void {
    for (; gateway.read < this.journal.length; gateway.read++) {
      const record = this.journal[gateway.read];
      if (record !== undefined) gateway.space = evolveSpace(gateway.space, record);
    }
  }

  #surroundings(from: string): Surroundings {
    return {
      now: this.now,
      isPresent: () => true,
      standingOf,
      sender: standingOf(from),
      hash: this.hash,
    };
  }

  /** How long each stream is, for whoever checks that nothing was left out. */
  get lengths(): ReadonlyMap<string, number> {
    const counted = new Map<string, number>();
    for (const record of this.journal) {
      const stream = streamOf('main', record);
      counted.set(stream, (counted.get(stream) ?? 0) + 1);
    }
    return counted;
  }

  /** The proposals that there are. */
  get proposals(): readonly string[] {
    return this.journal.flatMap((record) =>
      isProposalRecord(record) && record.type === 'proposed' ? [record.facts.proposal] : [],
    );
  }
}

/** Different texts have different hashes here, which is all that is asked of it: the real one takes most of the time. */
const cheapHash = (text: string): string => {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return (hash >>> 0).toString(16).padStart(64, '0');
};
