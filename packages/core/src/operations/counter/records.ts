import type { Change } from '../../json/diff.js';
import type { ArgumentFacts } from '../proposal/arguments.js';
import type { About, Approved, Recorded } from '../records.js';

/** Someone offers other params in place of the proposed ones (O-40). */
export type Countered = Recorded<
  'countered',
  About &
    ArgumentFacts & {
      /** The digest of the offered params: what is approved or accepted. */
      readonly digest: string;
      /** What it answers: the proposal, or the counter-offer before it. */
      readonly answers: string;
      /** What it changes in the proposed params. */
      readonly amendment: readonly Change[];
      /** The person who offers it, if the operator says so (O-30). */
      readonly subject?: string;
      readonly roles?: readonly string[];
    }
>;

/**
 * The proposer accepted a counter-offer (O-40): it counts as its author's approval. If that is enough, the fulfilment
 * follows at once.
 */
export type CounterAccepted = Recorded<
  'counter_accepted',
  Approved['facts'] & {
    readonly counter: string;
    /** The author of the counter-offer: it runs on their authority. */
    readonly author: string;
  }
>;
