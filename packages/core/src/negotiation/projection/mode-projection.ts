import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../../refusal/refusal.js';
import type { Eligibility } from '../modes/eligibility.js';
import type { Mode, ModePayloads } from '../modes/mode.js';
import type { Terms } from '../modes/terms.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import type { EnvelopeOf, MacpEnvelope } from '../wire/macp-envelope.js';
import type { CommitmentPayload } from '../wire/payloads.js';
import { isSessionMessage, type SessionPayloads } from '../wire/session-messages.js';
import { type ProjectionOptions, SessionProjection } from './session-projection.js';

/** What a projection needs to know about its mode. */
type ProjectedMode<State, Payloads extends ModePayloads, Rules extends PolicyRules> = Pick<
  Mode<State, Payloads, Rules>,
  'descriptor' | 'initial'
>;

/**
 * The state of one session in one mode, for programs that follow it: fed with the envelopes that the
 * runtime delivers, from `SessionStart` on and in order (N-12). The projection of a mode adds to this
 * what its messages say in words.
 */
export abstract class ModeProjection<
  State,
  Payloads extends ModePayloads,
  Rules extends PolicyRules,
  Explained extends Eligibility = Eligibility,
> {
  readonly #session: SessionProjection;
  readonly #mode: ProjectedMode<State, Payloads, Rules>;

  constructor(mode: ProjectedMode<State, Payloads, Rules>, options: ProjectionOptions) {
    this.#session = new SessionProjection(options);
    this.#mode = mode;
  }

  /** As {@link SessionProjection.apply}. Refuses a session in another mode with `MODE_NOT_SUPPORTED`. */
  apply(envelope: MacpEnvelope): Result<boolean> {
    const { mode } = this.#mode.descriptor;
    if (envelope.mode !== mode) return failure(refuseOtherMode(envelope, mode));
    const applied = this.#session.apply(envelope);
    if (!applied.ok || !applied.value) return applied;
    const message = this.transcript.at(-1);
    if (message !== undefined && this.terms !== undefined && !isSessionMessage(message)) {
      this.keepWords(message, this.terms);
    }
    return applied;
  }

  /** The terms of the session; undefined before the start. */
  get terms(): Terms<Rules> | undefined {
    // Parsed by the mode.
    return this.#session.terms as Terms<Rules> | undefined;
  }

  /** The state of the negotiation, the same as in the runtime. */
  get negotiation(): State {
    return (this.#session.state as State | undefined) ?? this.#mode.initial;
  }

  /** The state of the negotiation as JSON. */
  encodeState(): JsonObject | undefined {
    return this.#session.encodeState();
  }

  /** Every accepted envelope, including the runtime's own, in order. */
  get transcript(): readonly EnvelopeOf<Payloads & SessionPayloads>[] {
    // Parsed by the mode's readers.
    return this.#session.transcript as readonly EnvelopeOf<Payloads & SessionPayloads>[];
  }

  /** The outcome, once there is one. */
  get commitment(): CommitmentPayload | undefined {
    return this.#session.commitment;
  }

  /** The hash of the outcome, by which a later commitment can supersede it (N-19). */
  get commitmentHash(): string | undefined {
    return this.#session.commitmentHash;
  }

  /** Whether there is an outcome. */
  get isCommitted(): boolean {
    return this.commitment !== undefined;
  }

  /** Whether the outcome is positive; undefined while there is none. */
  get isPositiveOutcome(): boolean | undefined {
    return this.commitment?.outcome_positive;
  }

  /**
   * Why it can or cannot be committed, according to the messages, which do not include the
   * session's state and time. Nothing before the start.
   *
   * @param committer - who would commit. Default: the initiator
   */
  explain(committer?: string): Explained | undefined {
    // Explained by the mode.
    return this.#session.explain(committer) as Explained | undefined;
  }

  /** Keeps the texts of a message around the decisions: titles, summaries, reasons. */
  protected abstract keepWords(message: EnvelopeOf<Payloads>, terms: Terms<Rules>): void;
}

/** Applies a whole transcript. Refuses at the first envelope that does not fit. */
export function projectInto<Projection extends { apply(envelope: MacpEnvelope): Result<boolean> }>(
  projection: Projection,
  envelopes: Iterable<MacpEnvelope>,
): Result<Projection> {
  for (const envelope of envelopes) {
    const applied = projection.apply(envelope);
    if (!applied.ok) return applied;
  }
  return success(projection);
}

function refuseOtherMode({ mode: found }: MacpEnvelope, mode: string): Refusal {
  const what = `The session is in ${quote(found)}, not in ${mode}.`;
  return refuse('MODE_NOT_SUPPORTED', what, { field: 'mode', found: quote(found), expected: mode });
}
