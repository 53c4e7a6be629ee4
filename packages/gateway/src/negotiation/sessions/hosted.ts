import type { SessionCommand, SessionContext, SessionRecord, SessionState } from '@proffer/core/negotiation';
import type { Entity } from '../../host/index.js';

/** A session in memory. */
export interface Hosted {
  readonly entity: Entity<SessionState, SessionCommand, SessionRecord, SessionContext>;
  /** The authenticated starter; empty before the start. */
  owner: string;
  /** Whether it counts among the owner's open sessions. */
  isOpen: boolean;
}
