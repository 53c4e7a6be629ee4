import type { SessionPart } from '@proffer/core/negotiation';
import type { SpacePart } from '@proffer/core/operations';
import { VERSION } from '../../version.js';

/**
 * The version of a snapshot's contents. It must be raised whenever the state of a space or a session changes
 * its form or meaning: a snapshot with another one is not used. A test notices changes of form.
 */
export const STATE_FORMAT = 4;

/**
 * Which program may use a snapshot: the one that made it. Another release may fold the same records
 * differently, so after an upgrade history is read once.
 */
export const MADE_BY = `proffer ${VERSION}, state ${STATE_FORMAT}`;

/**
 * One line of a snapshot: first its producer, then each space by its name and the settings that its state
 * depends on, followed by its parts, then the open sessions.
 */
export type SnapshotLine =
  | readonly ['by', string]
  | readonly ['space', string, SpaceBasis]
  | SpacePart
  | SessionPart;

/** The settings that the state of a space depends on. */
export type SpaceBasis = { readonly dedupWindow: number };
