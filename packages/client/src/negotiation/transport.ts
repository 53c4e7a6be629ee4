import type {
  MacpEnvelope,
  ModeDescriptor,
  PolicyDescriptor,
  SessionMetadata,
} from '@proffer/core/negotiation';
import type { Acknowledgement } from './acknowledgement.js';
import type { RegistryChange, RuntimeDescription, RuntimeManifest } from './runtime-description.js';

/** An accepted message with its sequence in its session; the first has 1 (N-6). */
export interface AcceptedEnvelope {
  readonly sequence: number;
  readonly envelope: MacpEnvelope;
  /** Milliseconds since 1970, on the runtime's clock; absent over gRPC, which does not carry it. */
  readonly acceptedAt?: number;
}

/** As many of the newest sessions as fit into one answer, oldest first. */
export interface SessionList {
  readonly sessions: readonly SessionMetadata[];
  /** Whether there are older readable ones, too: `watchSessions` starts with all of them. */
  readonly hasMore: boolean;
}

/** Which sessions a page of history contains. */
export interface SessionHistoryQuery {
  /** Default `all`. */
  readonly state?: 'all' | 'ended';
  /** The prefix of their ids. Default: any. */
  readonly id?: string;
  /** The page size, up to 500. Default 500. */
  readonly limit?: number;
  /** The `next` of the previous page. Default: start with the newest. */
  readonly before?: number;
}

/**
 * Past and present sessions, latest start first; ended ones with their `ending`. A page may be short,
 * even empty: as long as there is a `next`, there are more pages.
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

/** One attempt of a call: the credentials, and the time limit. */
export interface Attempt {
  readonly token: string;
  /** Aborts the call, or the stream, at once. */
  readonly signal: AbortSignal;
}

/**
 * A transport to a runtime. It only carries: it tries once, holds no session state and no rules. A
 * refusal is thrown as a MacpError with the runtime's code; a call that does not get through, or
 * breaks off, as a MacpError with the code `UNAVAILABLE`. A stream that the runtime ends simply ends.
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
  /** @param agentId - the runtime's own; empty for any */
  getManifest(agentId: string, attempt: Attempt): Promise<RuntimeManifest>;
  listModes(attempt: Attempt): Promise<readonly ModeDescriptor[]>;
  listExtModes(attempt: Attempt): Promise<readonly ModeDescriptor[]>;
  registerExtMode(descriptor: ModeDescriptor, attempt: Attempt): Promise<void>;
  unregisterExtMode(mode: string, attempt: Attempt): Promise<void>;
  /** @param name - the new one; empty for the same. Settles with the mode's name after that. */
  promoteMode(mode: string, name: string, attempt: Attempt): Promise<string>;
  registerPolicy(descriptor: PolicyDescriptor, attempt: Attempt): Promise<void>;
  unregisterPolicy(policyId: string, attempt: Attempt): Promise<void>;
  getPolicy(policyId: string, attempt: Attempt): Promise<PolicyDescriptor>;
  /** @param mode - only policies for this mode; empty for all */
  listPolicies(mode: string, attempt: Attempt): Promise<readonly PolicyDescriptor[]>;
  /** The messages accepted in a session after a sequence number, and then new ones, in order. */
  subscribe(sessionId: string, after: number, attempt: Attempt): AsyncIterable<AcceptedEnvelope>;
  /** First every readable session, as `CREATED`, then what happens. */
  watchSessions(attempt: Attempt): AsyncIterable<SessionEvent>;
  /** All policies, now and each time they change. */
  watchPolicies(attempt: Attempt): AsyncIterable<readonly PolicyDescriptor[]>;
  watchSignals(attempt: Attempt): AsyncIterable<MacpEnvelope>;
  /** Once at the start, then each time modes change. */
  watchModeRegistry(attempt: Attempt): AsyncIterable<RegistryChange>;
  /** Once at the start, then each time roots change. */
  watchRoots(attempt: Attempt): AsyncIterable<RegistryChange>;
  close(): Promise<void>;
}
