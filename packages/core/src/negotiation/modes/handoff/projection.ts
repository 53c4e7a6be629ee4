import { ModeProjection } from '../../projection/mode-projection.js';
import type { ProjectionOptions } from '../../projection/session-projection.js';
import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import { handoffMode } from './mode.js';
import type { HandoffContextPayload, HandoffModePayloads } from './payloads.js';
import type { HandoffRules } from './rules.js';
import { type HandoffPhase, handoffPhaseOf, type Offered, type Transfer } from './transfer.js';

/** An offer as a reader sees it. */
export interface HandoffView {
  readonly handoffId: string;
  readonly target: string;
  readonly scope: string;
  readonly reason: string;
  readonly disposition: Offered['disposition'];
  /** The disposition in the words of MACP's SDKs, which also tell whether context was sent. */
  readonly status: Offered['disposition'] | 'context_sent';
  /** What the target said when it answered. */
  readonly answer?: string;
  /** What the owner added, in order; the content is base64. */
  readonly context: readonly HandoffContextPayload[];
}

const ACCEPTED = { disposition: 'accepted', status: 'accepted' } as const;
const DECLINED = { disposition: 'declined', status: 'declined' } as const;

/**
 * The state of one session in Handoff Mode, for programs that follow it. Adds to {@link ModeProjection} the offers
 * with their texts, and who holds the responsibility.
 */
export class HandoffProjection extends ModeProjection<Transfer, HandoffModePayloads, HandoffRules> {
  readonly #offers = new Map<string, HandoffView>();

  constructor(options: ProjectionOptions = {}) {
    super(handoffMode, options);
  }

  /** How far the handoff has got. */
  get phase(): HandoffPhase {
    return handoffPhaseOf(this.negotiation);
  }

  /** Every offer, by its id, in order. */
  get offers(): ReadonlyMap<string, HandoffView> {
    return this.#offers;
  }

  /** The offer that waits for its target, if there is one. */
  pendingOffer(): HandoffView | undefined {
    return [...this.#offers.values()].find(({ disposition }) => disposition === 'offered');
  }

  /** The offer that was accepted, if there is one. */
  acceptedOffer(): HandoffView | undefined {
    return [...this.#offers.values()].find(({ disposition }) => disposition === 'accepted');
  }

  /** Who has the responsibility: the owner, until the handoff is committed; undefined before the start. */
  get holder(): string | undefined {
    return this.isPositiveOutcome === true ? this.acceptedOffer()?.target : this.terms?.initiator;
  }

  protected override keepWords({ message_type, payload }: EnvelopeOf<HandoffModePayloads>): void {
    const { handoff_id: handoffId } = payload;
    switch (message_type) {
      case 'HandoffOffer': {
        const { target_participant: target, scope, reason } = payload;
        this.#offers.set(handoffId, {
          handoffId,
          target,
          scope,
          reason,
          disposition: 'offered',
          status: 'offered',
          context: [],
        });
        break;
      }
      case 'HandoffContext':
        this.#change(handoffId, ({ context, status }) => ({
          context: [...context, payload],
          status: status === 'offered' ? 'context_sent' : status,
        }));
        break;
      case 'HandoffAccept':
        this.#change(handoffId, () => ({ ...ACCEPTED, answer: payload.reason }));
        break;
      case 'HandoffDecline':
        this.#change(handoffId, () => ({ ...DECLINED, answer: payload.reason }));
        break;
    }
  }

  #change(handoffId: string, change: (view: HandoffView) => Partial<HandoffView>): void {
    const view = this.#offers.get(handoffId);
    if (view !== undefined) this.#offers.set(handoffId, { ...view, ...change(view) });
  }
}
