import type { SessionPart } from '@proffer/core/negotiation';
import type { SpacePart } from '@proffer/core/operations';
import { VERSION } from '../../version.js';

/**
 * The version of what a snapshot holds. It must go up whenever the state of a space or a session looks different, or means
 * something else: a snapshot with another one is not used. A test notices the first.
 */
export const STATE_FORMAT = 1;

/**
 * Which program may use a snapshot: the one that made it. Another release may fold the same records into something else,
 * so after an upgrade history is read once.
 */
export const MADE_BY = `proffer ${VERSION}, state ${STATE_FORMAT}`;

/**
 * One line of a snapshot: first who made it, then each space by its name and the settings that its state depends on,
 * followed by its parts, then the open sessions.
 */
export type SnapshotLine =
  | readonly ['by', string]
  | readonly ['space', string, SpaceBasis]
  | SpacePart
  | SessionPart;

/** The settings that the state of a space depends on. */
export type SpaceBasis = { readonly dedupWindow: number };
