import type { Proposal } from '@proffer/core/operations';
import { groupOf, type Viewer } from '../inbox/group.js';
import type { Proposals } from '../space/proposals.js';

/** What waits for the user, in any view. Only changes are examined. */
export class WaitingList {
  readonly #proposals: Proposals;
  readonly #stop: () => void;
  readonly #changed = new Set<string>();
  readonly #waiting = new Set<string>();
  #rights: Viewer['rights'] | undefined;
  #fresh: Proposal[] = [];

  constructor(proposals: Proposals) {
    this.#proposals = proposals;
    this.#stop = proposals.onChange((id) => this.#changed.add(id));
  }

  /** How many wait now. */
  countFor(viewer: Viewer): number {
    if (this.#rights !== viewer.rights) {
      this.#rights = viewer.rights;
      for (const { id } of this.#proposals.values()) this.#changed.add(id);
    }
    for (const id of this.#changed) {
      const proposal = this.#proposals.get(id);
      if (proposal?.phase !== 'pending' || groupOf(proposal, viewer) > 1) this.#waiting.delete(id);
      else if (!this.#waiting.has(id)) {
        this.#waiting.add(id);
        this.#fresh.push(proposal);
      }
    }
    this.#changed.clear();
    return this.#waiting.size;
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** What started to wait since the last call. */
  takeFresh(): readonly Proposal[] {
    const fresh = this.#fresh.filter(({ id }) => this.#waiting.has(id));
    this.#fresh = [];
    return fresh;
  }

  /** Stops tracking the proposals. */
  close(): void {
    this.#stop();
  }
}
