import type { Change, JsonObject } from '@proffer/core/json';

/** Somebody's no. */
export interface Rejection {
  readonly by: string;
  readonly reason: string;
  readonly message?: string;
}

/** What somebody changed in the arguments before approving; empty if nothing. */
export interface Edited {
  readonly by: string;
  readonly edit: readonly Change[];
}

/** How a gated call ended. */
export type Outcome =
  /** It ran; `result` is the server's own. */
  | ({ readonly type: 'ran'; readonly result: JsonObject } & Edited)
  /** It ran, and the result, of so many characters, is gone: it was too large to be kept for anybody who comes back. */
  | ({ readonly type: 'lost'; readonly characters: number; readonly isError: boolean } & Edited)
  /** The server answered with a JSON-RPC error. */
  | ({ readonly type: 'failed'; readonly error: JsonObject } & Partial<Edited>)
  | { readonly type: 'rejected'; readonly rejections: readonly Rejection[] }
  | { readonly type: 'expired' }
  | { readonly type: 'withdrawn'; readonly reason?: string }
  /** The rules do not allow what somebody made of the arguments. */
  | { readonly type: 'denied'; readonly reason: string }
  /** It was begun and nobody can say how it ended (O-23). */
  | ({ readonly type: 'unknown'; readonly why: string } & Partial<Edited>)
  /** It could not be proposed, so nobody was asked; or it was approved, and the server certainly did not take it. */
  /** The tool does not take these arguments (O-39). */
  | { readonly type: 'invalid'; readonly why: string }
  | { readonly type: 'unavailable'; readonly why: string; readonly isApproved?: true };
