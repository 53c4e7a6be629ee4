import { defined } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Receipt } from '../connection/message.js';

/** Why a proposal is rejected: one of O-17's reasons, or up to 1000 characters of text. */
export type RejectionReason =
  | 'busy'
  | 'incapable'
  | 'policy'
  | 'disagree'
  | 'unsafe'
  | 'duplicate'
  | 'invalid'
  | 'timeout'
  | 'resource_limit'
  | 'other'
  | (string & {});

/** What can be reported about a proposal; `revealed` also after its end: you looked at hidden values. */
export type ProposalStatus = 'considering' | 'queued' | 'processing' | 'unable' | 'revealed';

/** Options of a status. */
export interface StatusOptions {
  readonly message?: string;
  /** The progress and the total, as in MCP (O-42). */
  readonly progress?: number;
  readonly total?: number;
  /**
   * Default: a new one. The same id with other content is refused (`id_conflict`), so it can serve as a
   * claim (O-3).
   */
  readonly id?: string;
}

/**
 * Withdrawals, renewals, rejections, statuses, and approvals taken back. Each settles with `late` if the proposal was no
 * longer pending: the gateway silently ignores that (O-16), so it takes until `silence` has passed to
 * know. About several proposals, each has its own outcome, in `outcomes`, and it fails only if all of
 * them were refused (O-35).
 */
export interface Remarks {
  withdraw(proposals: Proposals, reason?: string): Promise<Receipt>;
  reject(proposals: Proposals, reason: RejectionReason, message?: string): Promise<Receipt>;
  renew(proposal: string, ttl: number): Promise<Receipt>;
  takeBack(proposal: string): Promise<Receipt>;
  status(proposals: Proposals, status: ProposalStatus, options?: StatusOptions): Promise<Receipt>;
}

/** The id of a proposal, or of several. */
type Proposals = string | readonly string[];

export function createRemarks(exchange: Exchange, silence: number): Remarks {
  const waiting = (about: Proposals) =>
    typeof about !== 'string' && about.length > 1 ? { isBatch: true } : { silence };
  return {
    withdraw: (correlationId, reason) =>
      exchange.send(
        { kind: 'mcpx.withdraw.proposal', correlationId, payload: defined({ reason }) },
        waiting(correlationId),
      ),
    reject: (correlationId, reason, message) =>
      exchange.send(
        { kind: 'mcpx.reject.proposal', correlationId, payload: { reason, ...said(message) } },
        waiting(correlationId),
      ),
    renew: (correlationId, ttl) =>
      exchange.send({ kind: 'mcpx.renew.proposal', correlationId, payload: { ttl } }, { silence }),
    takeBack: (correlationId) =>
      exchange.send({ kind: 'mcpx.approve.proposal', correlationId, payload: { revoke: true } }, { silence }),
    status: (correlationId, status, { message, progress, total, id } = {}) =>
      exchange.send(
        {
          ...defined({ id }),
          kind: 'mcpx.status.proposal',
          correlationId,
          payload: { status, ...said(message), ...defined({ progress, total }) },
        },
        waiting(correlationId),
      ),
  };
}

function said(message: string | undefined): { readonly message?: string } {
  return defined({ message });
}
