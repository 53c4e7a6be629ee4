import type { Change, JsonObject } from '@proffer/core/json';
import type { ProposalRejection } from '../errors.js';
import type { ApprovalResult } from './approvals.js';
import type { CounterOffer } from './counters.js';
import type { ProposalStatus } from './remarks.js';

/** How a proposal was fulfilled. */
export type ProposalFulfilment = {
  readonly by: string;
  /** The envelope id of the request. */
  readonly request: string;
  /** Who runs it, if one participant was named or found (O-26). */
  readonly executor?: string;
  /** What the fulfiller changed in the params (O-13); empty if nothing: what runs is what was proposed. */
  readonly amendment: readonly Change[];
  /** What runs: the proposed params with the amendment applied. */
  readonly params?: JsonObject;
  /** The grant by which it ran, if no one was asked; `by` is the granter (O-41). */
  readonly grant?: string;
};

/**
 * Something that happened to a proposal of our own, before it ended.
 *
 * - `accepted`: it is in the journal.
 * - `approved`: someone approved it; with how many approvals it needs (O-29).
 * - `countered`: someone offers other params; accept them with its `id` (O-40).
 * - `counter_accepted`: we accepted a counter-offer, which counts as its author's approval.
 * - `renewed`, `expiring`: it has more time, or not much left (O-36).
 * - `escalated`: nobody decided in time, so others are asked (O-33).
 * - `nobody_capable`: nobody present could fulfil it; it stays open (O-38).
 * - `offline`: some of those addressed are not connected; it stays open for them (O-32).
 * - `declined`: everybody addressed has rejected it (O-18), or it was reserved for some who did not
 *   take it (O-20).
 * - `dependencies_met`, `dependency_failed`: proposals it depends on settled `ok`, or one did not and
 *   it can be decided without it (O-37).
 * - `delegated`: an approver delegated its part in it, or took it back (O-34).
 * - `opened`: the window of the preferred is over, anybody may fulfil it (O-20).
 */
export type ProposalUpdate =
  | { readonly type: 'accepted'; readonly seq: number }
  | {
      readonly type: 'status';
      readonly by: string;
      readonly status: ProposalStatus;
      readonly message?: string;
      /** The progress and the total, while it runs (O-42). */
      readonly progress?: number;
      readonly total?: number;
    }
  | { readonly type: 'approval_taken_back'; readonly by: string }
  | ({ readonly type: 'approved'; readonly by: string } & ApprovalResult)
  | ({ readonly type: 'countered' } & CounterOffer)
  | ({ readonly type: 'counter_accepted'; readonly counter: string; readonly by: string } & ApprovalResult)
  | ({ readonly type: 'rejected' } & ProposalRejection)
  | { readonly type: 'renewed'; readonly ttl: number }
  | { readonly type: 'expiring'; readonly expiresAt: number }
  | { readonly type: 'escalated'; readonly to: readonly string[] }
  | { readonly type: 'nobody_capable' }
  | { readonly type: 'offline'; readonly who: readonly string[] }
  | { readonly type: 'declined'; readonly final: boolean; readonly unansweredBy: readonly string[] }
  | {
      readonly type: 'dependencies_met';
      readonly dependencies: readonly string[];
      /** The proposals it still waits for. */
      readonly waitsFor: readonly string[];
    }
  | { readonly type: 'dependency_failed'; readonly dependency: string; readonly outcome: string }
  | { readonly type: 'delegated'; readonly by: string; readonly to?: string }
  | { readonly type: 'opened' }
  | ({ readonly type: 'fulfilled' } & ProposalFulfilment);
