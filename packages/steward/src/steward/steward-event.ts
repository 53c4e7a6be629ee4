import type { PendingProposal } from '@proffer/client/participation';
import type { RuleDecision } from '../rules/decide-by-rules.js';

/**
 * What happened to a proposal.
 *
 * - `fulfilled`, `rejected`: the steward did it, and it is in the journal.
 * - `left`: people decide.
 * - `late`: someone else was first.
 * - `failed`: the rules allow or deny it, but the gateway refused; people decide.
 */
export type StewardOutcome = 'fulfilled' | 'rejected' | 'left' | 'late' | 'failed';

/** An event reported by a steward. */
export type StewardEvent =
  | {
      readonly type: 'decided';
      readonly proposal: PendingProposal;
      readonly decision: RuleDecision;
      readonly outcome: StewardOutcome;
      /** For failures. */
      readonly error?: unknown;
    }
  /** Someone changed the proposal while fulfilling it; this is what the rules say about what runs. */
  | {
      readonly type: 'amended';
      readonly proposal: PendingProposal;
      readonly by: string;
      readonly decision: RuleDecision;
    };
