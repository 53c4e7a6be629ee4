import { ModeProjection } from '../../projection/mode-projection.js';
import type { ProjectionOptions } from '../../projection/session-projection.js';
import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import { type MultiRoundRules, multiRoundMode } from './mode.js';
import type { MultiRoundPayloads } from './payloads.js';
import { convergedValue, type MultiRoundPhase, multiRoundPhaseOf, type Rounds } from './rounds.js';

/** The state of one session in `ext.multi_round.v1`, for programs that follow it. */
export class MultiRoundProjection extends ModeProjection<Rounds, MultiRoundPayloads, MultiRoundRules> {
  readonly #contributions = new Map<string, string[]>();

  constructor(options: ProjectionOptions = {}) {
    super(multiRoundMode, options);
  }

  /** Every value of each sender, in order; the last one counts. */
  get contributions(): ReadonlyMap<string, readonly string[]> {
    return this.#contributions;
  }

  /** How far the rounds have got. */
  get phase(): MultiRoundPhase {
    const { terms } = this;
    return terms === undefined ? 'Contributing' : multiRoundPhaseOf(this.negotiation, terms);
  }

  /** The latest value of each sender. */
  get values(): ReadonlyMap<string, string> {
    return new Map(this.negotiation.values);
  }

  /** How often somebody contributed a value that was new for it. */
  get round(): number {
    return this.negotiation.round;
  }

  /** The value that all participants have contributed, if there is one. */
  convergedValue(): string | undefined {
    return this.terms === undefined ? undefined : convergedValue(this.negotiation, this.terms);
  }

  protected override keepWords({ sender, payload }: EnvelopeOf<MultiRoundPayloads>): void {
    const earlier = this.#contributions.get(sender);
    if (earlier === undefined) this.#contributions.set(sender, [payload.value]);
    else earlier.push(payload.value);
  }
}
