import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../../refusal/refusal.js';
import type { ModeDescriptor } from '../mode-descriptors/descriptor.js';
import type { ServedMode } from '../modes/create-modes.js';
import { declaredMode } from '../modes/declared/mode.js';
import type { Eligibility } from '../modes/eligibility.js';
import { readEnvelope } from '../modes/read-envelope.js';
import { findMode, servedModes } from '../modes/registry.js';
import type { Terms } from '../modes/terms.js';
import { findBuiltIn, policyIdOf } from '../policy/built-in.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import { hashCommitment } from '../wire/commitment-hash.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import type { CommitmentPayload } from '../wire/payloads.js';
import { refuseField } from '../wire/refuse-field.js';
import { describeSessionId } from '../wire/session-id.js';
import { isCommitment, type SessionMessage } from '../wire/session-messages.js';

export interface ProjectionOptions {
  /**
   * The rules of the session's policy; missing rules are as in `policy.default`. Default: those of the
   * built-in policy named in its `SessionStart`; a registered policy's must be passed in.
   */
  readonly rules?: PolicyRules;
  /** How the session's mode is described, if it is a registered one (N-31); `GetSession` over HTTP has it. */
  readonly descriptor?: ModeDescriptor;
}

/**
 * The state of one session in any mode, for programs that follow it: fed with the envelopes that the
 * runtime delivers, from `SessionStart` on and in order. It folds the same function as the runtime,
 * so it reaches the same state (N-12).
 */
export class SessionProjection {
  readonly #rules: PolicyRules | undefined;
  readonly #descriptor: ModeDescriptor | undefined;
  readonly #transcript: MacpEnvelope[] = [];
  readonly #seen = new Set<string>();
  #begun: { readonly sessionId: string; readonly mode: ServedMode; readonly terms: Terms } | undefined;
  #state: unknown;
  #commitment: CommitmentPayload | undefined;

  constructor(options: ProjectionOptions = {}) {
    this.#rules = options.rules;
    this.#descriptor = options.descriptor;
  }

  /**
   * Applies one accepted envelope. The value says whether it was new: a redelivered envelope changes
   * nothing. Refuses, without any change, what no runtime would have accepted: a malformed payload, a
   * second `SessionStart`, and anything before it or of another session. Refuses with
   * `UNKNOWN_POLICY_VERSION` the start of a session with unknown rules.
   */
  apply(envelope: MacpEnvelope): Result<boolean> {
    const foreign = envelope.session_id !== this.#begun?.sessionId;
    if (!foreign && this.#seen.has(envelope.message_id)) return success(false);
    const read = readEnvelope(envelope);
    if (!read.ok) return read;
    const message = read.value;
    const refused = isStart(message)
      ? this.#begin(message)
      : foreign
        ? refuseForeign(message)
        : this.#listen(message);
    if (refused !== undefined) return failure(refused);
    this.#seen.add(message.message_id);
    this.#transcript.push(message);
    return success(true);
  }

  /** Every accepted envelope, including the runtime's own, in order, with its payload parsed. */
  get transcript(): readonly MacpEnvelope[] {
    return this.#transcript;
  }

  /** The terms of the session; undefined before the start. */
  get terms(): Terms | undefined {
    return this.#begun?.terms;
  }

  /** How the mode of the session is described; undefined before the start. */
  get descriptor(): ModeDescriptor | undefined {
    return this.#begun?.mode.descriptor;
  }

  /** The state, the same as in the runtime; only its mode looks into it. Undefined before the start. */
  get state(): unknown {
    return this.#state;
  }

  /** The state as JSON. */
  encodeState(): JsonObject | undefined {
    return this.#begun?.mode.encode(this.#state);
  }

  /** The outcome, once there is one. */
  get commitment(): CommitmentPayload | undefined {
    return this.#commitment;
  }

  /** The hash of the outcome, by which a later commitment can supersede it (N-19). */
  get commitmentHash(): string | undefined {
    return this.#commitment === undefined ? undefined : hashCommitment(this.#commitment);
  }

  /**
   * Why it can or cannot be committed, according to the messages (N-9, N-10), which do not include the
   * session's state and time. Nothing before the start.
   *
   * @param committer - who would commit. Default: the initiator
   */
  explain(committer?: string): Eligibility | undefined {
    if (this.#begun === undefined) return undefined;
    const { mode, terms } = this.#begun;
    return mode.explain(this.#state, terms, committer ?? terms.initiator);
  }

  #begin(start: SessionMessage<'SessionStart'>): Refusal | undefined {
    if (this.#begun !== undefined) return refuseSecondStart(start);
    const { session_id: sessionId, sender, payload } = start;
    const declared = this.#descriptor?.mode === start.mode ? this.#descriptor : undefined;
    const mode = findMode(start.mode) ?? (declared === undefined ? undefined : declaredMode(declared));
    if (mode === undefined) return refuseMode(start);
    const rules = this.#rulesFor(mode, policyIdOf(payload.policy_version));
    if (!rules.ok) return rules.refusal;
    const participants = new Set(payload.participants);
    this.#begun = { sessionId, mode, terms: { initiator: sender, participants, rules: rules.value } };
    this.#state = mode.initial;
    return undefined;
  }

  #rulesFor(mode: ServedMode, policyId: string): Result<PolicyRules> {
    if (this.#rules !== undefined) return mode.policies.parse(this.#rules);
    const builtIn = findBuiltIn(mode, policyId);
    return builtIn === undefined ? failure(refuseUnknownRules(mode, policyId)) : success(builtIn.rules);
  }

  #listen(message: MacpEnvelope): undefined {
    const { mode, terms } = this.#begun ?? {};
    if (mode === undefined || terms === undefined || !mode.messageReaders.has(message.message_type)) return;
    this.#state = mode.apply(this.#state, terms, message);
    if (isCommitment(message)) this.#commitment = message.payload;
  }
}

function isStart(message: MacpEnvelope): message is SessionMessage<'SessionStart'> {
  return message.message_type === 'SessionStart';
}

function refuseSecondStart({ session_id }: MacpEnvelope): Refusal {
  return refuse(
    'SESSION_ALREADY_EXISTS',
    'A projection follows one session, and this is a second SessionStart.',
    {
      session_id: describeSessionId(session_id),
    },
  );
}

function refuseForeign({ session_id, message_type }: MacpEnvelope): Refusal {
  const what = `${message_type} belongs to a session whose SessionStart this projection has not seen.`;
  return refuse('SESSION_NOT_FOUND', what, { session_id: describeSessionId(session_id) });
}

function refuseMode({ mode }: MacpEnvelope): Refusal {
  const expected = servedModes()
    .map((one) => one.mode)
    .join(', ');
  return refuseField('MODE_NOT_SUPPORTED', {
    field: 'mode',
    found: quote(mode),
    expected: `${expected}, or a registered mode, whose descriptor was passed as \`descriptor\``,
  });
}

function refuseUnknownRules({ policies }: ServedMode, policyId: string): Refusal {
  const what = `${quote(policyId)} is not a built-in policy, and the projection was given no rules for it.`;
  return refuse('UNKNOWN_POLICY_VERSION', what, {
    field: 'payload.policy_version',
    found: quote(policyId),
    expected: `one of ${[...policies.builtIn.keys()].join(', ')}, or the rules of the policy, passed as \`rules\``,
  });
}
