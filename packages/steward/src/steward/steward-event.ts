import type { PendingProposal } from '@proffer/client/participation';
import type { RuleDecision } from '../rules/decide-by-rules.js';

/**
 * What became of a proposal.
 *
 * - `fulfilled`, `rejected`: the steward did it, and it is in the journal.
 * - `left`: people decide.
 * - `late`: someone else was first.
 * - `failed`: the rules allow or deny it, and the gateway refused that; people decide.
 */
export type StewardOutcome = 'fulfilled' | 'rejected' | 'left' | 'late' | 'failed';

/** What a steward tells. */
export type StewardEvent =
  | {
      readonly type: 'decided';
      readonly proposal: PendingProposal;
      readonly decision: RuleDecision;
      readonly outcome: StewardOutcome;
      /** Of what failed. */
      readonly error?: unknown;
    }
  /** Someone changed the proposal while fulfilling it; this is what the rules say about what runs. */
  | {
      readonly type: 'amended';
      readonly proposal: PendingProposal;
      readonly by: string;
      readonly decision: RuleDecision;
    };
