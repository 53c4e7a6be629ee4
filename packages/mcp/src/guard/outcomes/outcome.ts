import type { Change, JsonObject } from '@proffer/core/json';

/** A rejection. */
export interface Rejection {
  readonly by: string;
  readonly reason: string;
  readonly message?: string;
}

/** What the reviewer changed in the arguments before approving; empty if nothing. */
export interface Edited {
  readonly by: string;
  readonly edit: readonly Change[];
}

/** The outcome of a gated call. */
export type Outcome =
  /** It ran; `result` is the server's own. */
  | ({ readonly type: 'ran'; readonly result: JsonObject } & Edited)
  /** It ran, but its result, of this many characters, was too large to be kept for callers that come back. */
  | ({ readonly type: 'lost'; readonly characters: number; readonly isError: boolean } & Edited)
  /** The server answered with a JSON-RPC error. */
  | ({ readonly type: 'failed'; readonly error: JsonObject } & Partial<Edited>)
  /** `why`, as a sentence: what ended it, if that was not simply a rejection (O-45). */
  | { readonly type: 'rejected'; readonly rejections: readonly Rejection[]; readonly why?: string }
  | { readonly type: 'expired' }
  | { readonly type: 'withdrawn'; readonly reason?: string }
  /** The rules do not allow the changed arguments. */
  | { readonly type: 'denied'; readonly reason: string }
  /** It was started, and its outcome is unknown (O-23). */
  | ({ readonly type: 'unknown'; readonly why: string } & Partial<Edited>)
  /**
   * It could not be proposed, so nobody was asked; or it was approved, and the server certainly did not
   * accept it.
   */
  /** The tool does not accept these arguments (O-39). */
  | { readonly type: 'invalid'; readonly why: string }
  | { readonly type: 'unavailable'; readonly why: string; readonly isApproved?: true };
