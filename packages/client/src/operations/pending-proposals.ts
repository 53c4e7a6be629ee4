import { GATEWAY } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import type { Message } from '../connection/message.js';
import type { Welcome } from '../connection/welcome.js';
import {
  isFulfilment,
  isGranted,
  type PendingProposal,
  proposalInMessage,
  proposalInView,
} from './pending-proposal.js';

/** Determines who would run a call, if that is clear. */
interface WouldRun {
  readonly shownOf: (method: string, params: JsonObject | undefined) => ShownVersion;
}

/**
 * The pending proposals of the space, as far as this participant sees them: from the welcome, updated
 * by each later message. If more than a hundred are pending, those that the welcome left out are
 * missing.
 */
export class PendingProposals {
  #proposals = new Map<string, PendingProposal>();
  #knownAt = 0;
  #isComplete = true;

  /** The pending proposals, oldest first. */
  list(): readonly PendingProposal[] {
    return [...this.#proposals.values()];
  }

  /** The pending proposals, each with what is shown of it now: those who know determine who would run it. */
  shown({ shownOf }: WouldRun): readonly PendingProposal[] {
    return this.list().map((proposal) => {
      const { method, params, rejectedBy } = proposal;
      const shown = { rejectedBy, ...shownOf(method, params) };
      return Object.assign({}, proposal, { shown });
    });
  }

  /** Whether a proposal may still be pending, as far as known. */
  mayBePending(id: string, seq: number): boolean {
    return seq > this.#knownAt || !this.#isComplete || this.#proposals.has(id);
  }

  /** Starts again with the gateway's list. */
  begin({ pending, morePending, seq }: Welcome): void {
    this.#proposals = new Map(pending.map(proposalInView).map((proposal) => [proposal.id, proposal]));
    this.#knownAt = seq;
    this.#isComplete = morePending === 0;
  }

  /** Messages already included in the welcome change nothing. */
  take(message: Message): void {
    const { seq, kind, correlationId } = message;
    if (seq === undefined || seq <= this.#knownAt) return;
    if (kind.startsWith('mcp.proposal.')) {
      if (!isGranted(message)) this.#proposals.set(message.id, proposalInMessage(message));
      return;
    }
    if (typeof correlationId !== 'string') return;
    const proposal = this.#proposals.get(correlationId);
    if (proposal === undefined) return;
    if (ends(proposal, message)) this.#proposals.delete(proposal.id);
    else if (kind === 'mcpx.reject.proposal' && !proposal.rejectedBy.includes(message.from))
      this.#proposals.set(proposal.id, { ...proposal, rejectedBy: [...proposal.rejectedBy, message.from] });
  }
}

function ends(proposal: PendingProposal, message: Message): boolean {
  const { kind, from, payload } = message;
  if (kind.startsWith('mcp.request.')) return isFulfilment(proposal, message);
  if (kind === 'mcpx.withdraw.proposal') return true;
  // Approved, it only waits for others (O-37).
  if (kind === 'mcpx.approve.proposal') return payload['waitsFor'] !== undefined;
  if (kind !== 'system.notice' || from !== GATEWAY) return false;
  return payload['notice'] === 'expired' || (payload['notice'] === 'declined' && payload['final'] === true);
}
