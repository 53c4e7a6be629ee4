import type { Root } from '@proffer/core/negotiation';
import type { Content } from '../bytes.js';
import type { NegotiationCallOptions } from '../persist.js';

/** Options of every message in a session. */
export interface MessageOptions extends NegotiationCallOptions {
  /** The sender. Default: the client's own name; another one only if the token may speak for it (N-7). */
  readonly sender?: string;
  /** The id of the message. Default: a new one. The same id again counts once (N-6). */
  readonly messageId?: string;
}

/** How a session is started (N-1). */
export interface StartOptions extends MessageOptions {
  readonly intent: string;
  /** Different names, at most 1000. */
  readonly participants: readonly string[];
  /** Milliseconds until it expires: 1 to 86 400 000. */
  readonly ttlMs: number;
  /** How long all suspensions together may last, in milliseconds. Default, and at most, the runtime's limit: a week. */
  readonly maxSuspendMs?: number;
  /** Default: a new UUID. */
  readonly sessionId?: string;
  /** Default the version of the mode that is served. */
  readonly modeVersion?: string;
  /** Default `config.default`. */
  readonly configurationVersion?: string;
  /** The policy. Default `policy.default`. */
  readonly policyVersion?: string;
  readonly contextId?: string;
  readonly roots?: readonly Root[];
  /** Kept verbatim, never interpreted. */
  readonly extensions?: Readonly<Record<string, Content>>;
}

/** The optional fields of an offer. */
export interface CounterOfferOptions extends MessageOptions {
  readonly summary?: string;
  /** Anything the parties understand. */
  readonly details?: Content;
}

/** An offer that is not a counter-offer also has tags. */
export interface OfferOptions extends CounterOfferOptions {
  readonly tags?: readonly string[];
}

/** Options of a message that may give a reason. */
export interface RemarkOptions extends MessageOptions {
  readonly reason?: string;
}

/** Options of a rejection. */
export interface RejectOptions extends RemarkOptions {
  /** No further negotiation (N-11). Default false. */
  readonly terminal?: boolean;
}

/** The optional fields of an option to decide about. */
export interface OptionOptions extends MessageOptions {
  readonly rationale?: string;
  /** Anything the participants understand. */
  readonly supportingData?: Content;
}

/** Options of an evaluation. */
export interface EvaluationOptions extends RemarkOptions {
  /** From 0 to 1. Default 1. */
  readonly confidence?: number;
}

/** A request for approval. */
export interface ApprovalRequestOptions extends MessageOptions {
  /** How many participants must approve, unless the policy says otherwise. */
  readonly requiredApprovals: number;
  readonly summary?: string;
  /** Anything the participants understand. */
  readonly details?: Content;
}

/** An outcome. */
export interface CommitOptions extends MessageOptions {
  /** What was agreed, such as `contract.agreed`. */
  readonly action: string;
  readonly authorityScope: string;
  readonly reason: string;
  /** Whether the parties agreed (N-10). Default true. */
  readonly outcomePositive?: boolean;
  /** Default: a new one. */
  readonly commitmentId?: string;
  /** An earlier commitment, from another session, that this one replaces; `projection.commitmentHash` is its hash. */
  readonly supersedes?: { readonly sessionId: string; readonly commitmentHash: string };
}
