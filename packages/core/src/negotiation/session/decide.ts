import type { Decider, Decision } from '../../decision.js';
import { quote } from '../../json/describe.js';
import { failure, type Refusal, type Result, refuse } from '../../refusal/refusal.js';
import type { ServedMode } from '../modes/create-modes.js';
import { readMessage } from '../modes/read-envelope.js';
import { modeOf } from '../modes/registry.js';
import { policyIdOf } from '../policy/built-in.js';
import { isCommitmentHash } from '../wire/commitment-hash.js';
import type { MacpEnvelope } from '../wire/macp-envelope.js';
import type { CommitmentPayload } from '../wire/payloads.js';
import { refuseField } from '../wire/refuse-field.js';
import { isCommitment } from '../wire/session-messages.js';
import { checkAddress } from './check-address.js';
import type { SendCommand, SessionCommand, SessionContext } from './commands.js';
import { contentOf } from './content.js';
import { decideControl, decideExpiry } from './control.js';
import { evolveSession } from './evolve.js';
import type { SessionRecord } from './records.js';
import { refuseState, refuseUnknownSession } from './refusals.js';
import { type AcceptedMessage, isFinal, type Session, type SessionState, statusAt } from './session.js';
import { withSender, withTime } from './session-caller.js';
import { decideStart } from './start.js';

/** One negotiation session, decided one message at a time (N-1 … N-7, N-9 … N-13). */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionRecord, SessionContext> = {
  initial: undefined,
  decide(state, command, context) {
    const { now } = context;
    if (command.type === 'expire') return decideExpiry(state, command, now);
    const decision =
      command.type === 'send' ? decideSent(state, command, context) : decideControl(state, command, now);
    return decision.refused === undefined ? decision : withExpiry(decision, state, now);
  },
  evolve: evolveSession,
};

/** A refusal, with the expiry of the session that is due and not recorded yet (N-5). */
function withExpiry(
  decision: Decision<SessionRecord>,
  state: SessionState,
  now: number,
): Decision<SessionRecord> {
  if (state === undefined || isFinal(state.status) || decision.refused === undefined) return decision;
  const { records: due = [] } = decideExpiry(state, { type: 'expire', sessionId: state.id }, now);
  return due.length === 0 ? decision : { ...decision, due };
}

function decideSent(
  state: SessionState,
  command: SendCommand,
  context: SessionContext,
): Decision<SessionRecord> {
  const envelope = withSender(command.caller, command.envelope);
  const sent = envelope === command.envelope ? command : { ...command, envelope };
  return envelope.message_type === 'SessionStart'
    ? decideStart(state, sent, context)
    : decideMessage(state, sent, context);
}

/**
 * The order of these checks is guaranteed: a sender that fails several gets the first. Outsiders
 * learn nothing about the session, neither its state nor its messages (N-8). A duplicate of an
 * accepted message is a duplicate even after the session has ended (N-6).
 */
function decideMessage(
  state: SessionState,
  { caller, envelope, unreadable }: SendCommand,
  { now, modes }: SessionContext,
): Decision<SessionRecord> {
  const misaddressed = checkAddress(caller, envelope, { known: state, modes });
  if (misaddressed !== undefined) return { refused: misaddressed };
  if (state?.id !== envelope.session_id) return { refused: refuseUnknownSession(envelope.session_id) };
  const mode = modeOf(state);
  if (!mode.takesPart(state.terms, envelope.sender)) return { refused: refuseStranger(envelope) };
  const elsewhere = checkModeOf(state, envelope);
  if (elsewhere !== undefined) return { refused: elsewhere };
  const known = state.messages.get(envelope.message_id);
  if (known !== undefined)
    return decideRepeated(
      known,
      unreadable === undefined ? readMessage(mode, envelope) : failure(unreadable),
      envelope,
    );
  const status = statusAt(state, now);
  if (status !== 'OPEN') return { refused: refuseState(state, status, 'OPEN') };
  const notAllowed = mode.checkSender(state.terms, envelope) ?? unreadable;
  if (notAllowed !== undefined) return { refused: notAllowed };
  const read = readMessage(mode, envelope);
  if (!read.ok) return { refused: read.refusal };
  const refused = checkVersions(state, read.value) ?? mode.check(state.negotiation, state.terms, read.value);
  if (refused !== undefined) return { refused };
  const accepted = { time: now, principal: caller.name, envelope: withTime(read.value, now) };
  if (!endsOtherwise(mode, envelope)) return { records: [{ type: 'message_accepted', ...accepted }] };
  return { records: [{ type: 'message_accepted', ...accepted, facts: { ends_session: true } }] };
}

/** Whether a message ends the session without being a Commitment, as a registered mode may declare (N-31). */
function endsOtherwise({ descriptor }: ServedMode, envelope: MacpEnvelope): boolean {
  return !isCommitment(envelope) && descriptor.terminal_message_types.includes(envelope.message_type);
}

/** N-3: whoever follows the session reads its messages by the mode that they name. */
function checkModeOf({ mode }: Session, { mode: found }: MacpEnvelope): Refusal | undefined {
  if (found === mode) return undefined;
  const expected = `${quote(mode)}, which the session was started in`;
  return refuseField('INVALID_ENVELOPE', { field: 'mode', found: quote(found), expected });
}

/**
 * N-6: a repeat by the same sender makes no difference; anything else under the id is refused, so
 * that its sender notices.
 */
function decideRepeated(
  known: AcceptedMessage,
  read: Result<MacpEnvelope>,
  envelope: MacpEnvelope,
): Decision<SessionRecord> {
  if (known.sender !== envelope.sender) return { refused: refuseTaken(envelope, known.sender) };
  if (!read.ok) return { refused: read.refusal };
  if (contentOf(read.value) === known.content) return { unchanged: 'duplicate' };
  return { refused: refuseTaken(envelope, known.sender) };
}

function refuseTaken({ message_id, sender }: MacpEnvelope, usedBy: string): Refusal {
  const who = usedBy === sender ? 'you have' : `${quote(usedBy)} has`;
  return refuseField('INVALID_ENVELOPE', {
    field: 'message_id',
    found: `${quote(message_id)}, which ${who} already used for another message in this session`,
    expected: 'an id that is new in the session',
  });
}

function checkVersions(session: Session, envelope: MacpEnvelope): Refusal | undefined {
  if (!isCommitment(envelope)) return undefined;
  const { payload } = envelope;
  return (
    checkVersion('mode_version', payload.mode_version, session.modeVersion) ??
    checkVersion('configuration_version', payload.configuration_version, session.configurationVersion) ??
    checkPolicy(session, payload.policy_version) ??
    checkSuperseded(payload)
  );
}

/** N-19: another session may be anywhere, so only the form can be checked. Not by the reader: old ones stay readable. */
function checkSuperseded({ supersedes }: CommitmentPayload): Refusal | undefined {
  if (supersedes === undefined || isCommitmentHash(supersedes.commitment_hash)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'payload.supersedes.commitment_hash',
    found: quote(supersedes.commitment_hash),
    expected: '`sha256:` and the 64 hexadecimal digits of the superseded commitment, in lower case',
  });
}

/** A repeated start means the same policy, even if it was given as the default; no policy is the session's. */
function checkPolicy({ policyVersion, namedPolicy }: Session, found: string): Refusal | undefined {
  if (found === '' || policyIdOf(found) === policyIdOf(namedPolicy)) return undefined;
  return checkVersion('policy_version', found, policyVersion);
}

function checkVersion(name: keyof CommitmentPayload, found: string, expected: string): Refusal | undefined {
  if (found === expected) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: `payload.${name}`,
    found: quote(found),
    expected: `${quote(expected)}, which the session was started with`,
  });
}

/** The same message whatever was sent: who commits, and who started it, is only for participants. */
function refuseStranger({ sender }: MacpEnvelope): Refusal {
  const what = `${quote(sender)} is not a participant of this session.`;
  return refuse('FORBIDDEN', what, {
    field: 'sender',
    found: quote(sender),
    expected: 'a declared participant',
  });
}
