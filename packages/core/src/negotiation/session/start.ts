import type { Decision } from '../../decision.js';
import { defined } from '../../json/defined.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Mode } from '../modes/mode.js';
import { findMode, modeOf } from '../modes/registry.js';
import { refuseUnknownPolicy } from '../policy/registry.js';
import { name } from '../wire/identifiers.js';
import { COMMON_READERS, PARTICIPANTS, readPayload, type SessionStartPayload } from '../wire/payloads.js';
import { refuseField } from '../wire/refuse-field.js';
import { checkAddress, refuseMode } from './check-address.js';
import { maxSuspendedFor, type SendCommand, type SessionContext } from './commands.js';
import type { SessionRecord } from './records.js';
import { refuseExisting } from './refusals.js';
import type { SessionState } from './session.js';
import { isReservedName, type SessionCaller, withTime } from './session-caller.js';

/** Starts a session (N-1, N-2, N-3, N-13): its sender becomes the initiator, participant or not. */
export function decideStart(
  state: SessionState,
  { caller, envelope, unreadable }: SendCommand,
  { now, policies, modes, maxSuspendedMs }: SessionContext,
): Decision<SessionRecord> {
  const refused = checkAddress(caller, envelope, { modes }) ?? checkNewcomer(state, caller) ?? unreadable;
  if (refused !== undefined) return { refused };
  const parsed = readPayload(COMMON_READERS.SessionStart, envelope.payload);
  if (!parsed.ok) return { refused: parsed.refusal };
  const payload = parsed.value;
  const declared = findMode(envelope.mode) === undefined ? modes?.(envelope.mode) : undefined;
  const mode = modeOf({ mode: envelope.mode, declared });
  const unusable = checkInitiator(envelope.sender) ?? checkStart(payload, mode);
  if (unusable !== undefined) return { refused: unusable };
  const policy = policies(payload.policy_version, envelope.mode);
  if (policy === undefined) return { refused: refuseUnknownPolicy(payload.policy_version) };
  if (policy.rules === undefined) return { refused: refusePolicy(payload.policy_version, envelope.mode) };
  const { id: policyId, rules, defaultsFrom } = policy;
  const terms = { initiator: envelope.sender, participants: new Set(payload.participants), rules };
  const stuck = mode.checkTerms(terms);
  if (stuck !== undefined) return { refused: stuck };
  return {
    records: [
      {
        type: 'session_started',
        time: now,
        principal: caller.name,
        envelope: { ...withTime(envelope, now), message_type: 'SessionStart', payload },
        facts: {
          policy_id: policyId,
          rules,
          max_suspended_ms: maxSuspendedFor(payload, maxSuspendedMs),
          ...defined({ defaults_from: defaultsFrom, mode_descriptor: declared }),
        },
      },
    ],
  };
}

/** The policy exists, so that it is not found would be wrong. */
function refusePolicy(policyVersion: string, mode: string): Refusal {
  return refuseField('INVALID_POLICY_DEFINITION', {
    field: 'payload.policy_version',
    found: `${quote(policyVersion)}, which is for another mode`,
    expected: `a policy for ${mode}`,
  });
}

function checkNewcomer(state: SessionState, caller: SessionCaller): Refusal | undefined {
  // A caller that may not start sessions is not told which exist.
  if (!caller.mayStartSessions) {
    const what = `${quote(caller.name)} may not start sessions (can_start_sessions is off).`;
    return refuse('FORBIDDEN', what, { field: 'sender' });
  }
  return state === undefined ? undefined : refuseExisting(state.id);
}

function checkInitiator(sender: string): Refusal | undefined {
  const reading = name(sender, ['sender']);
  return reading.ok ? undefined : refuseField('INVALID_ENVELOPE', reading.problem);
}

function checkStart(
  { participants, mode_version }: SessionStartPayload,
  { descriptor, mayBeEmpty = false }: Mode,
): Refusal | undefined {
  if (participants.length === 0 && !mayBeEmpty) {
    const field = 'payload.participants';
    return refuseField('INVALID_ENVELOPE', { field, found: '0 names', expected: PARTICIPANTS });
  }
  const reserved = participants.findIndex(isReservedName);
  if (reserved !== -1) {
    return refuseField('INVALID_ENVELOPE', {
      field: `payload.participants[${reserved}]`,
      found: quote(participants[reserved] ?? ''),
      expected: 'a name that is not reserved for the runtime',
    });
  }
  if (mode_version === descriptor.mode_version) return undefined;
  return refuseMode('payload.mode_version', mode_version, descriptor.mode_version);
}
