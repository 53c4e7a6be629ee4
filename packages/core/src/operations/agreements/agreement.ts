import type { JsonObject } from '../../json/json.js';
import type { ReviewEntry } from '../review/policy.js';

/** The call that a commitment names (N-32): a new one, or that of a proposal, by its digest. */
export type AgreedCall =
  | {
      readonly space: string;
      readonly method: string;
      readonly params?: JsonObject;
      /** Who runs it (O-26). */
      readonly executor?: string;
      readonly proposal?: never;
    }
  | { readonly space: string; readonly proposal: string; readonly digest: string };

/** What a committed session decided about a call, and who had which part in it: all that a decision about it rests on. */
export type SessionAgreement = {
  readonly session: string;
  readonly mode: string;
  /** The id of the session's policy. */
  readonly policy: string;
  /** The id of the Commitment, its hash (N-19), and its sequence number in the session. */
  readonly commitment: string;
  readonly commitmentHash: string;
  readonly sequence: number;
  readonly committedBy: string;
  /** When, and why in the committer's words. */
  readonly at: number;
  readonly reason: string;
  readonly positive: boolean;
  /** The id of the offer, option or request, and the digest of the call in it. */
  readonly about: string;
  readonly call: string;
  /** Who accepted exactly this one, who rejected it, and who abstained. Only those who spoke for themselves. */
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  readonly abstained: readonly string[];
};

/** An agreement, with what it is about. */
export interface AgreedOutcome {
  readonly call: AgreedCall;
  readonly agreement: SessionAgreement;
}

/** An agreement about a proposal, in its state. */
export type ReceivedAgreement = SessionAgreement & {
  /** Whether its acceptances were counted; until then, they wait for the executor. */
  readonly isCounted: boolean;
};

/** Which sessions give the approvals of a review entry (O-53). */
export type CountedSessions = {
  /** The names of modes. */
  readonly modes: readonly string[];
  /** The ids of policies; empty means every policy. */
  readonly policies: readonly string[];
};

/** Whether a session gives approvals under an entry. */
export function countsFor({ by }: ReviewEntry, { mode, policy }: SessionAgreement): boolean {
  if (by === undefined || !by.modes.includes(mode)) return false;
  return by.policies.length === 0 || by.policies.includes(policy);
}
