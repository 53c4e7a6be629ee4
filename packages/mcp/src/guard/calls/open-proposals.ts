import type { ProposalPromise } from '@proffer/client/participation';
import type { Clock } from '../../clock.js';

/** How long the end waits for withdrawals, in milliseconds. */
const CLOSING = 1_500;

/** What the space was asked and has not ended, by the id of the proposal. */
export class OpenProposals {
  readonly #clock: Clock;
  readonly #proposals = new Map<string, ProposalPromise>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: string, proposal: ProposalPromise): void {
    this.#proposals.set(id, proposal);
  }

  /** It is over. */
  delete(id: string): void {
    this.#proposals.delete(id);
  }

  /** Settles when one is in the journal or over. */
  async stored(id: string): Promise<void> {
    await this.#proposals.get(id)?.accepted.catch(() => {});
  }

  /** Withdraws one without a rejection; settles when that is done or has failed. */
  async withdraw(id: string, reason: string): Promise<void> {
    await this.#proposals
      .get(id)
      ?.withdraw(reason)
      .catch(() => {});
  }

  /** Takes back several at the end; settles when that is done, or cannot be soon. */
  async withdrawAll(ids: readonly string[], reason: string): Promise<void> {
    const withdrawals = ids.map((id) => this.withdraw(id, reason));
    // A gateway that cannot be reached is no reason to stay: what is left expires.
    const patience = new Promise<void>((resolve) => this.#clock.after(CLOSING, resolve));
    await Promise.race([Promise.all(withdrawals), patience]);
  }
}
