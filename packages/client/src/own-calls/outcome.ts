import type { Change, JsonObject } from '@proffer/core/json';
import type { ProposalRejection } from '../errors.js';

/** What the reviewer changed in the arguments before approving; empty if nothing. */
export interface Edited {
  readonly by: string;
  readonly edit: readonly Change[];
}

/** The outcome of an own call. */
export type OwnCallOutcome =
  /** The call ran, with this result. */
  | ({ readonly type: 'ran'; readonly result: JsonObject } & Edited)
  /** The call ran, but its result, of this many characters, was too large to be kept for callers that come back. */
  | ({ readonly type: 'lost'; readonly characters: number; readonly isError: boolean } & Edited)
  /** The call was answered with a JSON-RPC error. */
  | ({ readonly type: 'failed'; readonly error: JsonObject } & Partial<Edited>)
  /** `why`, as a sentence: what ended it, if that was not simply a rejection (O-45). */
  | { readonly type: 'rejected'; readonly rejections: readonly ProposalRejection[]; readonly why?: string }
  | { readonly type: 'expired' }
  | { readonly type: 'withdrawn'; readonly reason?: string }
  /** The rules do not allow the changed arguments. */
  | { readonly type: 'denied'; readonly reason: string }
  /** The call was started, and its outcome is unknown (O-23). */
  | ({ readonly type: 'unknown'; readonly why: string } & Partial<Edited>)
  /** The tool does not accept these arguments (O-39). */
  | { readonly type: 'invalid'; readonly why: string }
  /** The call could not be proposed, so nobody was asked; or it was approved, and certainly did not start. */
  | {
      readonly type: 'unavailable';
      readonly why: string;
      /** The error with which proposing it failed. */
      readonly cause?: unknown;
      readonly isApproved?: true;
    };
