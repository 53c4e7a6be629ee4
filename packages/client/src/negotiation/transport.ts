import type {
  MacpEnvelope,
  ModeDescriptor,
  PolicyDescriptor,
  SessionMetadata,
} from '@proffer/core/negotiation';
import type { Acknowledgement } from './acknowledgement.js';
import type { RegistryChange, RuntimeDescription, RuntimeManifest } from './runtime-description.js';

/** An accepted message with its place in its session; the first has 1 (N-6). */
export interface AcceptedEnvelope {
  readonly sequence: number;
  readonly envelope: MacpEnvelope;
  /** Milliseconds since 1970, on the runtime's clock; absent over gRPC, which does not carry it. */
  readonly acceptedAt?: number;
}

/** As many of the newest sessions as one answer holds, the oldest of them first. */
export interface SessionList {
  readonly sessions: readonly SessionMetadata[];
  /** Whether there are older ones that may be read, too: `watchSessions` begins with all of them. */
  readonly hasMore: boolean;
}

/** Which sessions a page of history is to hold. */
export interface SessionHistoryQuery {
  /** Default `all`. */
  readonly state?: 'all' | 'ended';
  /** What their ids begin with. Default: anything. */
  readonly id?: string;
  /** How many at most, up to 500. Default 500. */
  readonly limit?: number;
  /** The `next` of the previous page. Default: from the newest on. */
  readonly before?: number;
}

/**
 * Sessions of the past and the present, the one that was started last first; those that ended with their `ending`. A
 * page may be short, even empty: as long as there is a `next`, there is more to ask for.
 */
export interface SessionHistoryPage {
  readonly sessions: readonly SessionMetadata[];
  readonly next?: number;
}

/** Something happened to a session. */
export interface SessionEvent {
  readonly type: 'CREATED' | 'RESOLVED' | 'EXPIRED' | 'SUSPENDED' | 'RESUMED' | 'CANCELLED';
  readonly session: SessionMetadata;
  /** Milliseconds since 1970. */
  readonly observedAt: number;
}

/** What the initiator asks of the runtime (N-4). */
export type SessionControl = 'cancel' | 'suspend' | 'resume';

/** One try of a call: who asks, and until when. */
export interface Attempt {
  readonly token: string;
  /** Ends the call, or the stream, at once. */
  readonly signal: AbortSignal;
}

/**
 * A way to a runtime. It only carries: it tries once, holds no state of a session and no rule. What the
 * runtime refuses is thrown as a MacpError with the runtime's code; what does not get there, or breaks
 * off, as a MacpError with the code `UNAVAILABLE`. A stream that the runtime ends simply ends.
 */
export interface MacpTransport {
  /** At how many gateways a call can be tried, one after another and without a wait. Default 1. */
  readonly addresses?: number;
  initialize(attempt: Attempt): Promise<RuntimeDescription>;
  send(envelope: MacpEnvelope, attempt: Attempt): Promise<Acknowledgement>;
  getSession(sessionId: string, attempt: Attempt): Promise<SessionMetadata>;
  controlSession(
    action: SessionControl,
    about: { readonly sessionId: string; readonly reason: string },
    attempt: Attempt,
  ): Promise<Acknowledgement>;
  listSessions(attempt: Attempt): Promise<SessionList>;
  sessionHistory(query: SessionHistoryQuery, attempt: Attempt): Promise<SessionHistoryPage>;
  /** @param agentId - the runtime's own; empty for whichever it is */
  getManifest(agentId: string, attempt: Attempt): Promise<RuntimeManifest>;
  listModes(attempt: Attempt): Promise<readonly ModeDescriptor[]>;
  listExtModes(attempt: Attempt): Promise<readonly ModeDescriptor[]>;
  registerExtMode(descriptor: ModeDescriptor, attempt: Attempt): Promise<void>;
  unregisterExtMode(mode: string, attempt: Attempt): Promise<void>;
  /** @param name - the new one; empty for the same. Settles with the name that the mode then has. */
  promoteMode(mode: string, name: string, attempt: Attempt): Promise<string>;
  registerPolicy(descriptor: PolicyDescriptor, attempt: Attempt): Promise<void>;
  unregisterPolicy(policyId: string, attempt: Attempt): Promise<void>;
  getPolicy(policyId: string, attempt: Attempt): Promise<PolicyDescriptor>;
  /** @param mode - only policies for this mode; empty for all */
  listPolicies(mode: string, attempt: Attempt): Promise<readonly PolicyDescriptor[]>;
  /** What was accepted in a session after a sequence number, and then what comes, in order. */
  subscribe(sessionId: string, after: number, attempt: Attempt): AsyncIterable<AcceptedEnvelope>;
  /** First every session that may be read, as `CREATED`, then what happens. */
  watchSessions(attempt: Attempt): AsyncIterable<SessionEvent>;
  /** All policies there are, now and each time they change. */
  watchPolicies(attempt: Attempt): AsyncIterable<readonly PolicyDescriptor[]>;
  watchSignals(attempt: Attempt): AsyncIterable<MacpEnvelope>;
  /** Once at the beginning, then each time that modes change. */
  watchModeRegistry(attempt: Attempt): AsyncIterable<RegistryChange>;
  /** Once at the beginning, then each time that roots change. */
  watchRoots(attempt: Attempt): AsyncIterable<RegistryChange>;
  close(): Promise<void>;
}
