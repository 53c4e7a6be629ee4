import type { Refusal, Result } from '@proffer/core';
import type { JsonValue } from '@proffer/core/json';
import type {
  Ack,
  Addressed,
  MacpEnvelope,
  ModeDescriptor,
  PolicyDescriptor,
  Root,
  SessionMetadata,
  SessionRecord,
} from '@proffer/core/negotiation';
import type { StoredRecord } from '@proffer/journal';
import type { ConnectionEnding } from '../delivery/index.js';
import type { ReleaseConnection } from '../door/index.js';
import type { AgentManifest, InitializeRequest, InitializeResponse } from './discovery.js';
import type { ListPage } from './sessions/list-sessions.js';
import type { ListedSession } from './sessions/session-index.js';
import type { WhatIfReport } from './what-if.js';

/** A message as a transport received it. */
export interface SentMessage {
  /** The payload of the envelope as JSON: field names as on the wire, bytes in base64. `{}` when it is unreadable. */
  readonly envelope: MacpEnvelope;
  /** How many bytes the payload had on the wire (N-3). */
  readonly payloadBytes: number;
  /**
   * Why the payload could not be decoded. The sender gets this refusal if no other comes first: version, sender,
   * session, mode, state and authority are checked before.
   */
  readonly unreadable?: Refusal;
}

/** A message that a transport has framed, and decodes when it is its turn. */
export interface FramedEnvelope {
  /** Which message it is, as far as that is known; the answer names it. */
  readonly address: Addressed;
  /** Called at most once. Refuses what is not even an envelope. */
  decode(): Result<SentMessage>;
}

/**
 * An accepted envelope as it is in the journal. `record.envelope` is what the wire carries, `record.version` is its
 * sequence number in the session (N-6), `record.time` when it was accepted. Every follower gets the same object, so a
 * transport may keep its bytes in a `WeakMap`.
 */
export type AcceptedRecord = StoredRecord<SessionRecord>;

/** A session event, as `WatchSessions` reports it. */
export interface SessionLifecycleEvent {
  readonly event_type: 'CREATED' | 'RESOLVED' | 'EXPIRED' | 'SUSPENDED' | 'RESUMED' | 'CANCELLED';
  readonly session: SessionMetadata;
  readonly observed_at_unix_ms: number;
}

/** The list of policies, as `WatchPolicies` reports it. */
export interface PoliciesChanged {
  readonly descriptors: readonly PolicyDescriptor[];
  readonly observed_at_unix_ms: number;
}

/** A registry change, as `WatchModeRegistry` and `WatchRoots` report it. */
export interface RegistryChanged {
  /** `modes` or `roots`. */
  readonly registry: string;
  readonly observed_at_unix_ms: number;
}

/**
 * Where the items of a subscription go: a transport, with what is needed to keep its memory bounded (I-7).
 * The same shape as a `Sink`, but for items instead of bytes.
 */
export interface Listener<Item> {
  /** Writes one item. Never waits; an exception ends the subscription. */
  write(item: Item): void;
  /** Bytes written that the peer has not read yet; an estimate will do. */
  buffered(): number;
  /** Resolves when the peer has read most of them, or is gone. */
  drained(): Promise<void>;
  /** The runtime ends the subscription; called at most once, and never after `stop`. */
  end(why: ConnectionEnding): void;
}

/** A subscription that lasts until either side ends it. */
export interface Subscription {
  /** The peer is gone, or wants no more. */
  stop(): void;
}

/** A followed session. */
export interface FollowedSession extends Subscription {
  /**
   * Resolves when everything that was accepted before the call has been delivered, or the subscription ended.
   */
  delivered(): Promise<void>;
}

/** The sessions that a party may read, without those that ended a while ago. */
export interface ReadableSessions<Form> {
  /** Oldest first, each in the requested form. */
  readonly sessions: readonly Form[];
  /** How many older ones were left out because the list would be too large. */
  readonly more: number;
  /** Where the page with the next older ones starts; absent after the oldest. */
  readonly next?: ListedSession;
}

/** Which sessions a page of history contains, and where it starts. */
export interface SessionQuery {
  /** The `next` of the previous page. Default: with the newest. */
  readonly before?: number;
  /** What their ids begin with; empty for all. */
  readonly prefix: string;
  readonly state: 'all' | 'ended';
  readonly limit: number;
}

/** Past and current sessions, latest start first. */
export interface SessionPage<Form> {
  readonly sessions: readonly Form[];
  /** Where the next page starts; absent after the oldest. */
  readonly next?: number;
}

/** A session in the form of an answer, and its size there in bytes. */
export type ToForm<Form> = (session: SessionMetadata) => { readonly value: Form; readonly bytes: number };

/** An authenticated caller. Refusals have MACP's codes. */
export interface NegotiationCaller {
  /** The owner of the token; the `sender` of its messages, unless it may act for others (N-7). */
  readonly name: string;
  /** Counts refusals of the transport itself; those of the calls below are counted already. */
  countRefusal(code: string): void;
  /**
   * For a long-lived connection: called once when it has to end, because its credential is gone or the
   * gateway is stopping.
   */
  stay(onEnd: (why: ConnectionEnding) => void): Subscription;
  /**
   * Call it for each message and each call, before decoding: returns what the caller may do. Counts against its rate,
   * and refuses with `RATE_LIMITED`, or `UNAUTHENTICATED` once its credential is gone (I-4).
   */
  checkRightsAndRate(): Result<NegotiationCalls>;
}

/**
 * The calls of a party. Its rights are checked at each call, so that a revoked credential takes effect at once (I-4):
 * then everything answers `UNAUTHENTICATED`.
 */
export interface NegotiationCalls {
  /**
   * The one path of every envelope, `SessionStart` and signals included: decoding, address, session,
   * authority, payload, rules, journal. Resolves when the message is durable, or refused.
   */
  send(sending: FramedEnvelope): Promise<Ack>;
  /**
   * {@link send} for callers that send very many: calls back once, perhaps synchronously, instead of creating a promise.
   *
   * @param settle - must not throw: others wait after it
   */
  sendThen(sending: FramedEnvelope, settle: (ack: Ack) => void): void;
  /**
   * Asks the runtime to cancel, suspend or resume a session (N-4). `message_id` of the answer is empty if nothing
   * changed.
   */
  control(type: 'cancel' | 'suspend' | 'resume', sessionId: string, reason: string): Promise<Ack>;

  /** A request as parsed by a transport, such as its query: a refusal is counted, and gets its MACP code. */
  asked<Value>(read: Result<Value>): Result<Value>;

  /**
   * One session with its rules (N-8). Refuses with `SESSION_NOT_FOUND`, in the same words if the caller may
   * not see it.
   */
  session(sessionId: string): Promise<Result<SessionMetadata>>;
  /**
   * The newest ones, or those before a place, up to four million bytes. Few lists are made at a time: others wait.
   *
   * @param isOver - whether the caller is gone, so that it may stop early. Default: never.
   */
  sessions<Form>(
    toForm: ToForm<Form>,
    isOver?: () => boolean,
    page?: ListPage,
  ): Promise<Result<ReadableSessions<Form>>>;
  /** All sessions in the journal, page by page; each page costs a bounded amount (I-8). */
  sessionPage<Form>(
    query: SessionQuery,
    toForm: ToForm<Form>,
    isOver?: () => boolean,
  ): Promise<Result<SessionPage<Form>>>;
  /**
   * A page of what was accepted after a sequence number, for polling. Refuses a number that is not in use yet with
   * `INVALID_ENVELOPE`: the next envelope would be missed.
   *
   * @param limits - how many at most, and about how many characters of JSON
   */
  history(
    sessionId: string,
    afterSequence: number,
    limits: { readonly records: number; readonly size: number },
  ): Promise<Result<readonly AcceptedRecord[]>>;
  /**
   * Everything accepted in a session after a sequence number: first history, then each as it becomes durable, once and
   * in order (I-6). Continues after the session has ended, until it is stopped. After a number that is not in use yet,
   * it begins with the next envelope.
   */
  follow(
    sessionId: string,
    afterSequence: number,
    listener: Listener<AcceptedRecord>,
  ): Promise<Result<FollowedSession>>;
  /** Follows a session, starting with an accepted envelope of this caller. Not counted again: sending it was counted. */
  followSent(
    sessionId: string,
    sequence: number,
    listener: Listener<AcceptedRecord>,
  ): Promise<Result<FollowedSession>>;

  /**
   * What would have become of a session under another policy (N-27). Refuses with `INVALID_POLICY_DEFINITION`, or
   * `HISTORY_UNAVAILABLE`.
   *
   * @param candidate - whatever the client sent
   */
  whatIf(sessionId: string, candidate: JsonValue): Promise<Result<WhatIfReport>>;
  /** The receipt of a session's Commitment, as JSON text (N-29). Refuses with `RECEIPT_UNAVAILABLE`, or `HISTORY_UNAVAILABLE`. */
  receipt(sessionId: string): Promise<Result<string>>;

  /** First every session that it may read, as `CREATED`, then events of these and new ones. */
  watchSessions(listener: Listener<SessionLifecycleEvent>): Result<Subscription>;
  /** Signals as they are sent, at any gateway; no history. */
  watchSignals(listener: Listener<MacpEnvelope>): Result<Subscription>;
  /** The current list, then again whenever it changes. */
  watchPolicies(listener: Listener<PoliciesChanged>): Result<Subscription>;

  /** @param descriptor - whatever the client sent, as JSON. Refuses with `INVALID_POLICY_DEFINITION` (N-13). */
  registerPolicy(descriptor: JsonValue): Promise<Result<PolicyDescriptor>>;
  unregisterPolicy(policyId: string): Promise<Result<PolicyDescriptor>>;
  policy(policyId: string): Result<PolicyDescriptor>;
  /** @param mode - only those for this mode; empty for all */
  policies(mode: string): Result<readonly PolicyDescriptor[]>;

  registerMode(descriptor: JsonValue): Promise<Result<ModeDescriptor>>;
  unregisterMode(mode: string): Promise<Result<ModeDescriptor>>;
  /** Makes an extension mode a standards-track one, under another name unless `name` is empty. */
  promoteMode(mode: string, name: string): Promise<Result<ModeDescriptor>>;
}

/** Calls and streams without a token: they say what is served, and nothing about anyone. */
export interface OpenCalls {
  /** The standards-track modes: MACP's own, and those that were promoted. */
  modes(): Result<readonly ModeDescriptor[]>;
  /** The others: those that are built in, and those that were registered (N-31). */
  extensionModes(): Result<readonly ModeDescriptor[]>;
  roots(): Result<readonly Root[]>;
  /** The keys that receipts are checked with, as a JWK set in JSON text; none if receipts are not signed (N-29). */
  receiptKeys(): Promise<Result<string>>;
  /** Once at the beginning, then whenever it changes. */
  watchModes(listener: Listener<RegistryChanged>): Result<Subscription>;
  /** Once at the beginning; roots belong to sessions here, so the list of the runtime never changes. */
  watchRoots(listener: Listener<RegistryChanged>): Result<Subscription>;
}

/** The negotiations of one gateway, which every MACP transport uses. */
export interface Negotiations extends OpenCalls {
  /** Whether senders prove who they are; in dev mode a name is enough. */
  readonly authenticatesSenders: boolean;
  /**
   * The owner of a token, for one call. Refuses with `UNAUTHENTICATED`, or `INTERNAL_ERROR` while it cannot be
   * determined.
   */
  admit(token: string | undefined, transport: Transport): Promise<Result<NegotiationCaller>>;
  /** Admits a long-lived connection; it counts against the token until `leave` is called. */
  connect(token: string | undefined, transport: Transport): Promise<Result<ConnectedNegotiationCaller>>;
  /** Negotiates the protocol version; needs no token. Refuses with `UNSUPPORTED_PROTOCOL_VERSION`. */
  initialize(request: InitializeRequest): Result<InitializeResponse>;
  /** Describes the runtime; needs no token. Refuses an `agentId` other than its own, or empty, with `INVALID_ENVELOPE`. */
  manifest(agentId: string): Result<AgentManifest>;
}

/** Where a message came in, for the metrics. */
export type Transport = 'grpc' | 'http' | 'ws';

/** A party on a long-lived connection. */
export interface ConnectedNegotiationCaller {
  readonly caller: NegotiationCaller;
  readonly leave: ReleaseConnection;
  /**
   * Counts in one of several streams on the connection. Refuses with `RATE_LIMITED` when the token has too
   * many.
   */
  stream(): Result<ReleaseConnection>;
}
