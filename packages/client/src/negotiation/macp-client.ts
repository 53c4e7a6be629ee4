import {
  findMode,
  isFinal,
  type MacpEnvelope,
  type ModeDescriptor,
  type PolicyDescriptor,
  type PolicyRules,
  PROPOSAL_MODE,
  policyIdOf,
  type SessionMetadata,
} from '@proffer/core/negotiation';
import type { Acknowledgement } from './acknowledgement.js';
import { controlOnce } from './control.js';
import type { MacpClientOptions } from './macp-client-options.js';
import { MacpError } from './macp-error.js';
import { onAbort } from './on-abort.js';
import { type NegotiationCallOptions, type Persistence, persist, type Try } from './persist.js';
import { builtInRules, completePolicy, type PolicyDefinition, rulesIn } from './policy-definition.js';
import { promoteOnce, registerOnce, treatMissingAsRemoved } from './registry-once.js';
import type { RegistryChange, RuntimeDescription, RuntimeManifest } from './runtime-description.js';
import { type Signal, signalEnvelope } from './signal.js';
import { sendOnce } from './start-once.js';
import { endsSession } from './status-after.js';
import type {
  AcceptedEnvelope,
  Attempt,
  MacpTransport,
  SessionControl,
  SessionEvent,
  SessionHistoryPage,
  SessionHistoryQuery,
  SessionList,
} from './transport.js';
import { keepWatching, type StreamEnd, type WatchOptions } from './watch.js';

type ModeOptions = NegotiationCallOptions & { readonly mode?: string };

/**
 * A runtime for negotiations, as one identity sees it. Every call is retried after a lost connection, under the same
 * message id, so that it counts once (N-6). All fail with a MacpError, or with the signal's reason.
 */
export class MacpClient {
  /** The default `sender`. */
  readonly sender: string;
  readonly #transport: MacpTransport;
  readonly #persistence: Persistence;
  readonly #closing = new AbortController();

  /** Milliseconds for a call including retries, unless it says otherwise. */
  get timeout(): number {
    return this.#persistence.timeout;
  }

  /** The client connects with the first call. */
  constructor({ transport, auth, retry = {}, timeout = 30_000, attemptTimeout = 10_000 }: MacpClientOptions) {
    this.sender = auth.sender;
    this.#transport = transport;
    const { addresses = 1 } = transport;
    this.#persistence = { token: auth.token, retry, addresses, timeout, attemptTimeout };
  }

  /** Asks what the runtime is and which modes it serves. Optional. */
  initialize(options: NegotiationCallOptions = {}): Promise<RuntimeDescription> {
    return this.#ask(options, (attempt) => this.#transport.initialize(attempt));
  }

  /** Sends one envelope; settles when it is accepted, or had been accepted before. */
  send(envelope: MacpEnvelope, options: NegotiationCallOptions = {}): Promise<Acknowledgement> {
    return this.#ask(options, (attempt) => sendOnce(this.#transport, envelope, attempt));
  }

  getSession(sessionId: string, options: NegotiationCallOptions = {}): Promise<SessionMetadata> {
    return this.#ask(options, (attempt) => this.#transport.getSession(sessionId, attempt));
  }

  /** The newest sessions that this identity may read (N-8), and whether there are more than fit into one answer. */
  listSessions(options: NegotiationCallOptions = {}): Promise<SessionList> {
    return this.#ask(options, (attempt) => this.#transport.listSessions(attempt));
  }

  /** A page of all sessions that this identity may read, including those that ended long ago. Over HTTP only. */
  sessionHistory(
    query: SessionHistoryQuery = {},
    options: NegotiationCallOptions = {},
  ): Promise<SessionHistoryPage> {
    return this.#ask(options, (attempt) => this.#transport.sessionHistory(query, attempt));
  }

  /**
   * Cancels, suspends or resumes a session, for its initiator (N-4). Refused with `SESSION_NOT_OPEN` if the state
   * does not allow it; cancelling a cancelled session makes no difference.
   */
  controlSession(
    action: SessionControl,
    sessionId: string,
    { reason = '', ...options }: NegotiationCallOptions & { readonly reason?: string } = {},
  ): Promise<Acknowledgement> {
    return this.#ask(options, (attempt) =>
      controlOnce(this.#transport, action, { sessionId, reason }, attempt),
    );
  }

  listModes(options: NegotiationCallOptions = {}): Promise<readonly ModeDescriptor[]> {
    return this.#ask(options, (attempt) => this.#transport.listModes(attempt));
  }

  /** What the runtime is and where it can be reached; it has no answer for other agents. */
  getManifest({
    agentId = '',
    ...options
  }: NegotiationCallOptions & { readonly agentId?: string } = {}): Promise<RuntimeManifest> {
    return this.#ask(options, (attempt) => this.#transport.getManifest(agentId, attempt));
  }

  /** The modes that are not MACP's own, built-in and registered ones. They are changed over gRPC only. */
  listExtModes(options: NegotiationCallOptions = {}): Promise<readonly ModeDescriptor[]> {
    return this.#ask(options, (attempt) => this.#transport.listExtModes(attempt));
  }

  /** Registers a mode, in which sessions are held as it describes (N-31). Repeating it makes no difference. */
  registerExtMode(descriptor: ModeDescriptor, options: NegotiationCallOptions = {}): Promise<void> {
    return this.#ask(options, (attempt) => this.#transport.registerExtMode(descriptor, attempt));
  }

  unregisterExtMode(mode: string, options: NegotiationCallOptions = {}): Promise<void> {
    return this.#ask(options, (attempt) =>
      treatMissingAsRemoved('MODE_NOT_SUPPORTED', attempt, this.#transport.unregisterExtMode(mode, attempt)),
    );
  }

  /** Makes an extension mode a standards-track one; settles with its name. */
  promoteMode(mode: string, name: string, options: NegotiationCallOptions = {}): Promise<string> {
    return this.#ask(options, (attempt) => promoteOnce(this.#transport, { mode, name }, attempt));
  }

  /**
   * Registers a policy, which keeps its rules for ever (N-13). Invalid rules, and an id that is taken, are refused
   * with `INVALID_POLICY_DEFINITION`.
   */
  registerPolicy(definition: PolicyDefinition, options: NegotiationCallOptions = {}): Promise<void> {
    const descriptor = completePolicy(definition);
    return this.#ask(options, (attempt) => registerOnce(this.#transport, descriptor, attempt));
  }

  /** Removes a policy for new sessions. */
  unregisterPolicy(policyId: string, options: NegotiationCallOptions = {}): Promise<void> {
    return this.#ask(options, (attempt) =>
      treatMissingAsRemoved(
        'UNKNOWN_POLICY_VERSION',
        attempt,
        this.#transport.unregisterPolicy(policyId, attempt),
      ),
    );
  }

  /** A policy that new sessions may name. */
  getPolicy(policyId: string, options: NegotiationCallOptions = {}): Promise<PolicyDescriptor> {
    return this.#ask(options, (attempt) => this.#transport.getPolicy(policyId, attempt));
  }

  /** The complete rules of a policy; those of the built-in ones without asking. `mode`: default Proposal Mode. */
  async getPolicyRules(policyId: string, asked: ModeOptions = {}): Promise<PolicyRules> {
    const { mode = PROPOSAL_MODE, ...options } = asked;
    return builtInRules(policyId, mode) ?? rulesIn(await this.getPolicy(policyId, options), mode);
  }

  /** The rules that a session keeps, whatever happens to its policy (N-13). */
  async getSessionRules(sessionId: string, options: NegotiationCallOptions = {}): Promise<PolicyRules> {
    const { rules, policy_version, mode } = await this.getSession(sessionId, options);
    return rules ?? (await this.getPolicyRules(policyIdOf(policy_version), { ...options, mode }));
  }

  /**
   * How the mode of a session is described, if it is a registered one (N-31). Over gRPC: how that is described now, or
   * `undefined` if it was removed.
   */
  async getSessionMode(
    sessionId: string,
    options: NegotiationCallOptions = {},
  ): Promise<ModeDescriptor | undefined> {
    const { mode, mode_descriptor } = await this.getSession(sessionId, options);
    if (findMode(mode) !== undefined || mode_descriptor !== undefined) return mode_descriptor;
    return await this.findMode(mode, options);
  }

  /** How a mode is described; `undefined` if there is none of this name. */
  async findMode(mode: string, options: NegotiationCallOptions = {}): Promise<ModeDescriptor | undefined> {
    const known = findMode(mode)?.descriptor;
    if (known !== undefined) return known;
    const [standard, others] = await Promise.all([this.listModes(options), this.listExtModes(options)]);
    return [...standard, ...others].find((one) => one.mode === mode);
  }

  /** The policies that a session may name; with `mode`, only those for it. */
  listPolicies({ mode = '', ...options }: ModeOptions = {}): Promise<readonly PolicyDescriptor[]> {
    return this.#ask(options, (attempt) => this.#transport.listPolicies(mode, attempt));
  }

  /** Sends a signal to current watchers. It is not stored. */
  signal(signal: Signal, options: NegotiationCallOptions = {}): Promise<Acknowledgement> {
    return this.send(signalEnvelope(signal, this.sender), options);
  }

  /**
   * The messages accepted in a session after a sequence number (default: all), and then new ones: each once and in
   * order, across lost connections (I-6). Ends when the session has ended, or with the signal.
   */
  async *subscribe(
    sessionId: string,
    { after = 0, ...options }: WatchOptions & { readonly after?: number } = {},
  ): AsyncGenerator<AcceptedEnvelope, undefined> {
    let last = after;
    let hasBegun = false;
    let wasFinal = false;
    let descriptor: ModeDescriptor | undefined;
    const open = (attempt: Attempt) => this.#transport.subscribe(sessionId, last, attempt);
    // An empty stream of an ended session means that all of it had been seen.
    const isOver = async ({ wasEmpty }: StreamEnd): Promise<boolean> => {
      if (wasEmpty && wasFinal) return true;
      // Only once: if the runtime is shutting down, the stream retries anyway.
      const { state } = await this.#ask(
        options,
        (attempt) => this.#transport.getSession(sessionId, attempt),
        { ...this.#persistence, retry: false },
      );
      wasFinal = isFinal(state);
      return false;
    };
    for await (const accepted of this.#watch(options, open, isOver)) {
      // A reader that started past the end gets the next message, under a lower number than it named.
      if (hasBegun && accepted.sequence <= last) continue;
      hasBegun = true;
      last = accepted.sequence;
      yield accepted;
      const { envelope } = accepted;
      if (isUnknown(envelope)) descriptor ??= await this.getSessionMode(sessionId, options);
      if (endsSession(envelope, descriptor)) return;
    }
  }

  /** The readable sessions, each as `CREATED`, then what happens. After a lost connection it starts again. */
  watchSessions(options: WatchOptions = {}): AsyncGenerator<SessionEvent, undefined> {
    return this.#watch(options, (attempt) => this.#transport.watchSessions(attempt));
  }

  /** All policies, now and each time they change. */
  watchPolicies(options: WatchOptions = {}): AsyncGenerator<readonly PolicyDescriptor[], undefined> {
    return this.#watch(options, (attempt) => this.#transport.watchPolicies(attempt));
  }

  /** New signals; not those sent while the connection is lost. */
  watchSignals(options: WatchOptions = {}): AsyncGenerator<MacpEnvelope, undefined> {
    return this.#watch(options, (attempt) => this.#transport.watchSignals(attempt));
  }

  /** Emits once for the initial modes, then each time they change. */
  watchModeRegistry(options: WatchOptions = {}): AsyncGenerator<RegistryChange, undefined> {
    return this.#watch(options, (attempt) => this.#transport.watchModeRegistry(attempt));
  }

  /** Emits once for the initial roots, then each time they change. */
  watchRoots(options: WatchOptions = {}): AsyncGenerator<RegistryChange, undefined> {
    return this.#watch(options, (attempt) => this.#transport.watchRoots(attempt));
  }

  /** Releases the connection. Calls in progress fail with `UNAVAILABLE`, streams end. */
  async close(): Promise<void> {
    this.#closing.abort(new MacpError('UNAVAILABLE', 'The client is closed.'));
    await this.#transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #ask<Value>(
    options: NegotiationCallOptions,
    attempt: (once: Try) => Promise<Value>,
    persistence = this.#persistence,
  ): Promise<Value> {
    const { signal, release } = joinSignals(options.signal, this.#closing.signal);
    try {
      return await persist(persistence, { ...options, signal }, attempt);
    } finally {
      release();
    }
  }

  async *#watch<Value>(
    options: WatchOptions,
    open: (attempt: Attempt) => AsyncIterable<Value>,
    isOver?: (end: StreamEnd) => Promise<boolean>,
  ): AsyncGenerator<Value, undefined> {
    const { signal, release } = joinSignals(options.signal, this.#closing.signal);
    try {
      yield* keepWatching(this.#persistence, { ...options, signal }, open, isOver);
    } finally {
      release();
    }
  }
}

/** Whether only its runtime knows what a message of this mode means. */
function isUnknown({ mode }: MacpEnvelope): boolean {
  return findMode(mode) === undefined;
}

/** A signal that is aborted with the first of several, until it is released. */
function joinSignals(...signals: readonly (AbortSignal | undefined)[]): {
  readonly signal: AbortSignal;
  /** Must be called in the end, so that longer-lived signals drop this one. */
  readonly release: () => void;
} {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signals.find((signal) => signal?.aborted === true)?.reason);
  const waiting = signals.map((signal) => onAbort(signal, follow));
  if (signals.some((signal) => signal?.aborted === true)) follow();
  return {
    signal: controller.signal,
    release: () => {
      for (const { release } of waiting) release();
    },
  };
}
