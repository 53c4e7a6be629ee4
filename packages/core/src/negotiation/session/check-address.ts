import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { findMode, servedModes } from '../modes/registry.js';
import { MACP_VERSION, type MacpEnvelope } from '../wire/macp-envelope.js';
import { refuseField } from '../wire/refuse-field.js';
import { isSessionId } from '../wire/session-id.js';
import type { ModeLookup } from './commands.js';
import { isRuntimeMessageId } from './runtime-envelope.js';
import type { Session } from './session.js';
import { checkSender, mayUseMode, type SessionCaller } from './session-caller.js';

/** What an envelope is checked against. */
export interface AddressBook {
  /** The session that it is for: the form of its id need not be checked again, and its mode exists. */
  readonly known?: Pick<Session, 'id' | 'mode'> | undefined;
  /** The registered modes. Default: none. */
  readonly modes?: ModeLookup | undefined;
}

/**
 * Checks a client's envelope as far as possible without a session, in this order: protocol version,
 * sender (N-7), session id (N-2), mode (N-3), message id. The refusal, or `undefined`.
 */
export function checkAddress(
  caller: SessionCaller,
  envelope: MacpEnvelope,
  book: AddressBook,
): Refusal | undefined {
  return (
    checkVersion(envelope) ??
    checkSender(caller, envelope.sender) ??
    (envelope.session_id === book.known?.id ? undefined : checkSessionId(envelope)) ??
    checkMode(caller, envelope, book) ??
    checkMessageId(envelope)
  );
}

function checkVersion({ macp_version }: MacpEnvelope): Refusal | undefined {
  return macp_version === MACP_VERSION ? undefined : refuseVersion(macp_version);
}

/** The refusal for an unsupported protocol version (N-3). */
export function refuseVersion(found: string): Refusal {
  return refuse('UNSUPPORTED_PROTOCOL_VERSION', `macp_version is ${quote(found)}.`, {
    field: 'macp_version',
    found: quote(found),
    expected: MACP_VERSION,
  });
}

function checkSessionId({ session_id }: MacpEnvelope): Refusal | undefined {
  if (isSessionId(session_id)) return undefined;
  return refuse('INVALID_SESSION_ID', `session_id is ${quote(session_id)}.`, {
    field: 'session_id',
    found: quote(session_id),
    expected: 'a lower-case UUID (v4 or v7), or 22 to 128 base64url characters',
  });
}

function checkMode(
  caller: SessionCaller,
  { mode }: MacpEnvelope,
  { known, modes }: AddressBook,
): Refusal | undefined {
  const exists = findMode(mode) !== undefined || known?.mode === mode || modes?.(mode) !== undefined;
  if (exists) return checkAllowedMode(caller, mode);
  const served = servedModes().map((one) => one.mode);
  return refuseMode('mode', mode, served.join(' or '));
}

/** The refusal for a mode that the principal's token does not cover, or `undefined`. */
export function checkAllowedMode(caller: SessionCaller, mode: string): Refusal | undefined {
  if (mayUseMode(caller, mode)) return undefined;
  const { name, allowedModes = [] } = caller;
  return refuse('FORBIDDEN', `The token of ${quote(name)} does not allow ${mode}.`, {
    field: 'mode',
    found: quote(mode),
    expected: allowedModes,
  });
}

/** The refusal for an unsupported mode, or version of it (N-3). */
export function refuseMode(field: string, found: string, expected: string): Refusal {
  return refuse('MODE_NOT_SUPPORTED', `${field} is ${quote(found)}; this runtime serves ${expected}.`, {
    field,
    found: quote(found),
    expected,
  });
}

function checkMessageId({ message_id }: MacpEnvelope): Refusal | undefined {
  if (!isRuntimeMessageId(message_id)) return undefined;
  return refuseField('INVALID_ENVELOPE', {
    field: 'message_id',
    found: quote(message_id),
    expected: 'an id that does not start with "runtime:"',
  });
}
