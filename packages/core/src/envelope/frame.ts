import { quote } from '../json/describe.js';
import { isJsonArray, type JsonObject, type JsonValue } from '../json/json.js';
import { GATEWAY, PROTOCOL } from './envelope.js';
import { type Fault, fieldFault } from './fault.js';
import { checkIdentifiers, checkObject, checkOptional, checkText } from './field-checks.js';
import { codePoints, IDENTIFIER, isGatewayId, isIdentifier } from './name.js';
import { isTimestamp } from './timestamp.js';
import type { SendingContext } from './validate.js';

const LONGEST_CONTEXT = 512;

/** The first fault in what every message has, whatever its kind (O-1, O-2, O-3); not in the kind itself. */
export function checkFrame(message: JsonObject, sending: SendingContext): Fault | undefined {
  return (
    checkSender(message['from'], sending.from) ??
    checkProtocol(message['protocol']) ??
    checkId(message['id'], sending) ??
    checkTime(message['ts']) ??
    checkOptional(checkAddressees, 'to', message['to']) ??
    checkOptional(checkCorrelation, 'correlationId', message['correlationId']) ??
    checkOptional(checkThread, 'context', message['context']) ??
    checkObject('payload', message['payload'])
  );
}

function checkSender(from: JsonValue | undefined, sender: string): Fault | undefined {
  if (from === sender) return undefined;
  const expected = `${quote(sender)}, the name you are connected as`;
  if (typeof from !== 'string') return fieldFault('from', from, expected);
  return { code: 'sender_mismatch', field: 'from', found: from, expected };
}

function checkProtocol(protocol: JsonValue | undefined): Fault | undefined {
  return protocol === PROTOCOL ? undefined : fieldFault('protocol', protocol, `${PROTOCOL} or mew/v0.4`);
}

/** Anyone can predict the id of a notice, or of a message with an idempotency key: only the gateway may assign it. */
function checkId(id: JsonValue | undefined, { from, fallbackId }: SendingContext): Fault | undefined {
  if (!isIdentifier(id)) return fieldFault('id', id, IDENTIFIER);
  if (from === GATEWAY || id === fallbackId || !isGatewayId(id)) return undefined;
  return fieldFault('id', id, 'an id that does not start with system:, which is reserved for the gateway');
}

function checkTime(ts: JsonValue | undefined): Fault | undefined {
  return typeof ts === 'string' && isTimestamp(ts)
    ? undefined
    : fieldFault('ts', ts, 'an RFC 3339 date and time, such as 2026-01-31T12:00:00Z');
}

function checkAddressees(field: string, to: JsonValue | undefined): Fault | undefined {
  return checkIdentifiers(field, to, { least: 0, called: 'names' });
}

function checkCorrelation(field: string, correlationId: JsonValue | undefined): Fault | undefined {
  if (isJsonArray(correlationId)) return checkIdentifiers(field, correlationId, { least: 1, called: 'ids' });
  return isIdentifier(correlationId)
    ? undefined
    : fieldFault(field, correlationId, `an id (${IDENTIFIER}) or an array of ids`);
}

function checkThread(field: string, context: JsonValue | undefined): Fault | undefined {
  const notText = checkText(field, context);
  if (notText !== undefined || typeof context !== 'string') return notText;
  return codePoints(context) <= LONGEST_CONTEXT
    ? undefined
    : fieldFault(field, context, `at most ${LONGEST_CONTEXT} characters`);
}
