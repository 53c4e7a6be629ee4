import type { JsonObject } from '../../json/json.js';
import { PROPOSAL_MODE } from '../modes/proposal/name.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import { lookUpIn, type PolicyLookup, policyRegistry } from '../policy/registry.js';
import type { SessionCommand } from '../session/commands.js';
import type { SessionCaller } from '../session/session-caller.js';
import { MACP_VERSION, type MacpEnvelope } from '../wire/macp-envelope.js';

/** The session that every story is about. */
export const SESSION_ID = '0190a5c2-7b1e-7c3d-8f00-0123456789ab';

/** One step of a story. */
export interface Step {
  /** Milliseconds after the start of the story. Default: the time of the previous step. */
  readonly at?: number;
  /** The policies available from now on. */
  readonly policies?: PolicyLookup;
  /** The command, given an unused message id. */
  readonly command: (messageId: string) => SessionCommand;
}

/** A caller with a name and nothing else, except what a test adds. */
export function callerNamed(name: string, flags: Partial<SessionCaller> = {}): SessionCaller {
  return { name, mayStartSessions: true, ...flags };
}

/** Sends an envelope; `change` replaces some of its fields, `by` is the authenticated caller. */
export function send(
  sender: string,
  message_type: string,
  payload: JsonObject,
  options: { readonly change?: Partial<MacpEnvelope>; readonly by?: SessionCaller } = {},
): Step {
  return {
    command: (message_id) => ({
      type: 'send',
      caller: options.by ?? callerNamed(sender),
      envelope: {
        macp_version: MACP_VERSION,
        mode: PROPOSAL_MODE,
        message_type,
        message_id,
        session_id: SESSION_ID,
        sender,
        timestamp_unix_ms: 0,
        payload,
        ...options.change,
      },
    }),
  };
}

/** A SessionStart payload as the tests use it. */
export function startPayload(change: JsonObject = {}): JsonObject {
  return {
    intent: 'agree on terms',
    participants: ['buyer', 'seller'],
    mode_version: '1.0.0',
    configuration_version: 'cfg-1',
    policy_version: '',
    ttl_ms: 60_000,
    ...change,
  };
}

/** Starts the session as `buyer`, between `buyer` and `seller`, by default. */
export function start(change: JsonObject = {}, initiator = 'buyer'): Step {
  return send(initiator, 'SessionStart', startPayload(change));
}

/** Starts a session under a policy with these rules. */
export function startUnder(rules: PolicyRules, change: JsonObject = {}, initiator = 'buyer'): Step {
  const policies: PolicyLookup = (id, mode) =>
    id === 'policy.test' ? { id, rules } : lookUpIn(policyRegistry.initial)(id, mode);
  return { ...start({ policy_version: 'policy.test', ...change }, initiator), policies };
}

export function propose(sender: string, proposal_id: string): Step {
  return send(sender, 'Proposal', { proposal_id, title: `Offer ${proposal_id}` });
}

export function counter(sender: string, proposal_id: string, supersedes_proposal_id: string): Step {
  return send(sender, 'CounterProposal', { proposal_id, supersedes_proposal_id, title: proposal_id });
}

export function accept(sender: string, proposal_id: string): Step {
  return send(sender, 'Accept', { proposal_id });
}

export function reject(sender: string, proposal_id: string, terminal = false): Step {
  return send(sender, 'Reject', { proposal_id, terminal, reason: 'no' });
}

export function withdraw(sender: string, proposal_id: string): Step {
  return send(sender, 'Withdraw', { proposal_id });
}

export function commit(sender: string, change: JsonObject = {}): Step {
  return send(sender, 'Commitment', {
    commitment_id: 'c1',
    action: 'contract.agreed',
    authority_scope: 'procurement',
    reason: 'all agreed',
    mode_version: '1.0.0',
    configuration_version: 'cfg-1',
    policy_version: '',
    outcome_positive: true,
    ...change,
  });
}

/** Cancels, suspends or resumes. */
export function control(
  type: 'cancel' | 'suspend' | 'resume',
  by: string | SessionCaller,
  reason = 'because',
): Step {
  const who = typeof by === 'string' ? callerNamed(by) : by;
  return { command: () => ({ type, caller: who, sessionId: SESSION_ID, reason }) };
}

/** The runtime checks the clock. */
export const expire: Step = { command: () => ({ type: 'expire', sessionId: SESSION_ID }) };

/** The same step at a moment, in milliseconds after the start of the story. */
export function at(milliseconds: number, step: Step): Step {
  return { ...step, at: milliseconds };
}

/** The same step with its own message id. */
export function as(messageId: string, step: Step): Step {
  return { ...step, command: () => step.command(messageId) };
}
