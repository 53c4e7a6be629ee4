import type { SessionCommand, SessionContext, SessionRecord, SessionState } from '@proffer/core/negotiation';
import type { Entity } from '../../host/index.js';

/** A session in memory. */
export interface Hosted {
  readonly entity: Entity<SessionState, SessionCommand, SessionRecord, SessionContext>;
  /** Who was authenticated when it was started; empty before. */
  owner: string;
  /** Whether it is among the owner's open sessions. */
  isOpen: boolean;
}
