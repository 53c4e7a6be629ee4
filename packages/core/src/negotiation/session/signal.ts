import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { failure, type Refusal, type Result, refuse, success } from '../../refusal/refusal.js';
import { MACP_VERSION, type MacpEnvelope } from '../wire/macp-envelope.js';
import { bytes, type FieldReader, filledText, messageOf, number, text } from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import { refuseVersion } from './check-address.js';
import { checkSender, type SessionCaller, withSender } from './session-caller.js';

/** The message type of a signal. */
export const SIGNAL = 'Signal';

/** A message for listeners, outside any session. */
export type SignalPayload = {
  readonly signal_type: string;
  /** Base64. */
  readonly data: string;
  readonly confidence: number;
  readonly correlation_session_id: string;
};

/** The message type of a progress report. */
const PROGRESS = 'Progress';

/** How something gets on, for listeners, outside any session. */
export type ProgressPayload = {
  readonly progress_token: string;
  readonly progress: number;
  readonly total: number;
  readonly message: string;
  readonly target_message_id: string;
};

/** A signal, or a progress report, that may be passed on. */
export type SignalEnvelope =
  | MacpEnvelope<typeof SIGNAL, SignalPayload>
  | MacpEnvelope<typeof PROGRESS, ProgressPayload>;

const signalPayload = messageOf<SignalPayload>({
  signal_type: filledText,
  data: bytes,
  confidence: number,
  correlation_session_id: text,
});

const READERS: ReadonlyMap<string, FieldReader<JsonObject>> = new Map<string, FieldReader<JsonObject>>([
  [SIGNAL, signalPayload],
  [
    PROGRESS,
    messageOf<ProgressPayload>({
      progress_token: text,
      progress: number,
      total: number,
      message: text,
      target_message_id: text,
    }),
  ],
]);

/** True for messages that belong to no session: signals and progress reports. */
export function isAmbient(messageType: string): boolean {
  return READERS.has(messageType);
}

/**
 * Checks a signal: it is ambient, so `session_id` and `mode` are empty, and `signal_type` is its
 * type. It is passed on and never recorded.
 *
 * @param unreadable - why the payload could not be decoded, if it could not
 */
export function readSignal(
  caller: SessionCaller,
  sent: MacpEnvelope,
  unreadable?: Refusal,
): Result<SignalEnvelope> {
  const envelope = withSender(caller, sent);
  const refused =
    checkVersion(envelope) ??
    checkSender(caller, envelope.sender) ??
    checkAllowed(caller) ??
    checkAmbient(envelope) ??
    unreadable;
  if (refused !== undefined) return failure(refused);
  const payload = parseAmbientPayload(envelope);
  // Parsed by the reader of its type.
  return payload.ok ? success({ ...envelope, payload: payload.value } as SignalEnvelope) : payload;
}

/** Parses the payload of an ambient message. Refuses with `INVALID_ENVELOPE`. */
export function parseAmbientPayload({ message_type, payload }: MacpEnvelope): Result<JsonObject> {
  const reading = (READERS.get(message_type) ?? signalPayload)(payload, ['payload']);
  return reading.ok ? success(reading.value) : failure(refuseField('INVALID_ENVELOPE', reading.problem));
}

function checkVersion({ macp_version }: MacpEnvelope): Refusal | undefined {
  return macp_version === MACP_VERSION ? undefined : refuseVersion(macp_version);
}

/** Signals have no mode: a token that covers only some modes must include the empty one. */
function checkAllowed({ name, allowedModes }: SessionCaller): Refusal | undefined {
  if (allowedModes === undefined || allowedModes.includes('')) return undefined;
  return refuse('FORBIDDEN', `The token of ${quote(name)} does not allow signals.`, {
    field: 'mode',
    found: quote(''),
    expected: allowedModes,
  });
}

function checkAmbient({ session_id, mode }: MacpEnvelope): Refusal | undefined {
  const [field, found] = session_id === '' ? ['mode', mode] : ['session_id', session_id];
  if (found === '') return undefined;
  return refuseField('INVALID_ENVELOPE', { field, found: quote(found), expected: 'nothing in a signal' });
}
