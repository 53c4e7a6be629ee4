import type { ProposalPromise } from '@proffer/client/participation';
import type { Clock } from '../../clock.js';

/** How long closing waits for withdrawals, in milliseconds. */
const CLOSING = 1_500;

/** Open proposals in the space, by id. */
export class OpenProposals {
  readonly #clock: Clock;
  readonly #proposals = new Map<string, ProposalPromise>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: string, proposal: ProposalPromise): void {
    this.#proposals.set(id, proposal);
  }

  /** It is closed. */
  delete(id: string): void {
    this.#proposals.delete(id);
  }

  /** Resolves when one is in the journal or closed. */
  async stored(id: string): Promise<void> {
    await this.#proposals.get(id)?.accepted.catch(() => {});
  }

  /** Withdraws one without a rejection; resolves when that is done or has failed. */
  async withdraw(id: string, reason: string): Promise<void> {
    await this.#proposals
      .get(id)
      ?.withdraw(reason)
      .catch(() => {});
  }

  /** Withdraws several when closing; resolves when that is done, or will not be soon. */
  async withdrawAll(ids: readonly string[], reason: string): Promise<void> {
    const withdrawals = ids.map((id) => this.withdraw(id, reason));
    // An unreachable gateway is no reason to stay: what is left expires.
    const patience = new Promise<void>((resolve) => this.#clock.after(CLOSING, resolve));
    await Promise.race([Promise.all(withdrawals), patience]);
  }
}
