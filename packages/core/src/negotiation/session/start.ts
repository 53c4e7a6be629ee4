import type { Decision } from '../../decision.js';
import { defined } from '../../json/defined.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { Mode } from '../modes/mode.js';
import { MODES, modeOf } from '../modes/registry.js';
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
  { now, policies, maxSuspendedMs }: SessionContext,
): Decision<SessionRecord> {
  const refused = checkAddress(caller, envelope) ?? checkNewcomer(state, caller) ?? unreadable;
  if (refused !== undefined) return { refused };
  const parsed = readPayload(COMMON_READERS.SessionStart, envelope.payload);
  if (!parsed.ok) return { refused: parsed.refusal };
  const payload = parsed.value;
  const mode = modeOf(envelope);
  const unusable = checkInitiator(envelope.sender) ?? checkStart(payload, mode);
  if (unusable !== undefined) return { refused: unusable };
  const policy = policies(payload.policy_version, envelope.mode);
  if (policy === undefined) return { refused: refusePolicy(payload.policy_version, envelope.mode, policies) };
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
          ...defined({ defaults_from: defaultsFrom }),
        },
      },
    ],
  };
}

/** A policy that sessions of another mode may name exists, so that it is not found would be wrong. */
function refusePolicy(policyVersion: string, mode: string, policies: SessionContext['policies']): Refusal {
  const isKnown = [...MODES.keys()].some((other) => policies(policyVersion, other) !== undefined);
  if (!isKnown) return refuseUnknownPolicy(policyVersion);
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
