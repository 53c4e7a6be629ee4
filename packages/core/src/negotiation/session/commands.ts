import type { Refusal } from '../../refusal/refusal.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import type { PolicyLookup } from '../policy/registry.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import type { SessionStartPayload } from '../wire/payloads.js';
import type { SessionCaller } from './session-caller.js';

/** A client's envelope, including `SessionStart`. Only its form was checked ({@link parseMacpEnvelope}). */
export type SendCommand = {
  readonly type: 'send';
  readonly caller: SessionCaller;
  readonly envelope: MacpEnvelope;
  /** Why the payload could not be decoded, or is too large: the refusal if everything else is valid. */
  readonly unreadable?: Refusal;
};

/** What the initiator asks of the runtime (N-4). */
export type ControlCommand = {
  readonly type: 'cancel' | 'suspend' | 'resume';
  readonly caller: SessionCaller;
  readonly sessionId: string;
  readonly reason: string;
};

/** The runtime's own: time has passed. */
export type ExpireCommand = { readonly type: 'expire'; readonly sessionId: string };

/** The commands of a session. */
export type SessionCommand = SendCommand | ControlCommand | ExpireCommand;

/** Finds a registered mode in which a session can be started, by its name. */
export type ModeLookup = (mode: string) => ModeDescriptor | undefined;

/** What a session cannot know by itself. */
export interface SessionContext {
  /** Milliseconds since 1970, on the runtime's clock. */
  readonly now: number;
  readonly policies: PolicyLookup;
  /** The registered modes. Default: none. */
  readonly modes?: ModeLookup;
  /** The maximum total suspension of a new session, in milliseconds. Default 7 days. */
  readonly maxSuspendedMs?: number;
}

/** Seven days (N-4). */
export const DEFAULT_MAX_SUSPENDED_MS = 7 * 86_400_000;

/**
 * The maximum total suspension of a session, in milliseconds: its initiator can only lower the runtime's limit.
 *
 * @param limit - the runtime's. Default 7 days
 */
export function maxSuspendedFor(
  { max_suspend_ms = Infinity }: Pick<SessionStartPayload, 'max_suspend_ms'>,
  limit = DEFAULT_MAX_SUSPENDED_MS,
): number {
  return Math.min(max_suspend_ms, limit);
}
