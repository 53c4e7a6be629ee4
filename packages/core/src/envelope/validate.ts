import { quote } from '../json/describe.js';
import { isJsonArray, type JsonObject, type JsonValue } from '../json/json.js';
import { failure, type Result, success } from '../refusal/refusal.js';
import { correlationIds, type Envelope, GATEWAY, PROTOCOL } from './envelope.js';
import {
  checkIdentifiers,
  checkObject,
  checkOptional,
  checkText,
  type Fault,
  fieldFault,
  refuseFault,
  type Spelling,
} from './field-checks.js';
import { type Kind, parseKind } from './kind.js';
import { KINDS_OF_PROTOCOL, payloadCheck } from './kind-table.js';
import { codePoints, IDENTIFIER, isGatewayId, isIdentifier } from './name.js';
import { isTimestamp } from './timestamp.js';
import { CompletedMessage } from './written.js';

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

/** What only the gateway says: what it does itself, and who has the streams that it opened. */
const RESERVED =
  /^(?:system|space[./]invite-ack|stream[./](?:ownership-transferred|write-granted|write-revoked))(?![\w-])/i;
const PATTERN = 'PROTOCOL.OPERATION[.METHOD[:CONTEXT]], such as mcp.request.tools/call';

/** Kinds that people try although they do not exist, and what they should send. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['fulfil', 'Fulfil by sending the request itself, with the id of the proposal as its correlation id.'],
  ['fulfill', 'Fulfil by sending the request itself, with the id of the proposal as its correlation id.'],
  ['withdraw', 'Withdraw with mcpx.withdraw.proposal.'],
  ['cancel', 'Withdraw with mcpx.withdraw.proposal.'],
  ['reject', 'Reject with mcpx.reject.proposal.'],
  ['decline', 'Reject with mcpx.reject.proposal.'],
  ['status', 'Report with mcpx.status.proposal.'],
]);

/** Kinds of mew that tell the gateway to do something it does not do: if carried, they would look done. */
const NO_EFFECT: ReadonlyMap<string, string> = new Map([
  ['capability.grant', 'Grant with mcpx.grant.capability.'],
  ['capability.revoke', 'Revoke with mcpx.revoke.capability.'],
  ['space.invite', 'Invite with mcpx.invite.participant.'],
  ['space.kick', 'Remove with mcpx.kick.participant.'],
]);

/**
 * The first fault of a kind itself, before the payload is checked. `system.*` and what {@link RESERVED}
 * names besides are reserved for the gateway (O-6), however they are spelled; protocols that Proffer knows have only the operations it
 * knows. Kinds of other protocols are carried.
 */
export function checkKind(kind: JsonValue | undefined, sender: string): Fault | undefined {
  if (typeof kind !== 'string') return fieldFault('kind', kind, PATTERN);
  if (goodKinds.has(kind)) return undefined;
  const fault = checkUnknown(kind, sender);
  if (fault === undefined && sender !== GATEWAY && kind.length <= LONGEST_KEPT) {
    if (goodKinds.size === MAX_KEPT) goodKinds.clear();
    goodKinds.add(kind);
  }
  return fault;
}

// Kinds found valid before: the same few recur. The cache is limited, since senders choose them.
const goodKinds = new Set<string>();
const MAX_KEPT = 1000;
const LONGEST_KEPT = 200;

function checkUnknown(kind: string, sender: string): Fault | undefined {
  if (sender !== GATEWAY && RESERVED.test(kind)) {
    return { code: 'reserved_kind', field: 'kind', found: kind, expected: 'a kind that participants send' };
  }
  const parsed = parseKind(kind);
  if (parsed === undefined) return fieldFault('kind', kind, PATTERN, remedyForWord(kind));
  return checkOperation(kind, parsed);
}

function checkOperation(kind: string, { protocol, operation, method }: Kind): Fault | undefined {
  const instead = NO_EFFECT.get(`${protocol}.${operation}`);
  if (instead !== undefined) return fieldFault('kind', kind, 'a kind that this gateway carries out', instead);
  const kinds = KINDS_OF_PROTOCOL.get(protocol.toLowerCase());
  if (kinds === undefined) return undefined;
  const exists = kinds.some((known) =>
    known.includes('METHOD') ? known.startsWith(`${protocol}.${operation}.`) : known === kind,
  );
  if (exists) return undefined;
  const remedy = REMEDIES.get(operation) ?? (method === undefined ? undefined : REMEDIES.get(method));
  return fieldFault('kind', kind, `one of ${kinds.join(', ')}`, remedy);
}

function remedyForWord(kind: string): string | undefined {
  if (kind !== 'mcp') return undefined;
  return 'Say whether it is a request, a response or a proposal; withdraw a proposal with mcpx.withdraw.proposal.';
}

/** What the gateway knows about a message that is not in it. */
export interface SendingContext {
  /**
   * The authenticated name of the sender (O-2). Only the gateway, under its own name, may send
   * `system.*`.
   */
  readonly from: string;
  /** When the message arrived, in milliseconds since 1970; for messages without a `ts`. */
  readonly now: number;
  /**
   * The id for a message without one; otherwise such a message is refused. Unlike an id in the message,
   * it may start with `system:`.
   */
  readonly fallbackId?: string;
  /** Makes the id for a message without one, where messages are many and most have one. */
  readonly newId?: () => string;
}

/**
 * Checks a message in the canonical spelling and completes it (O-1, O-2): `protocol`, `id`, `ts` and
 * `from` are filled in if absent; unknown top-level fields are left out; everything else is kept as
 * sent.
 *
 * Refuses with `sender_mismatch`, `reserved_kind`, `kind_mismatch` (O-6), `missing_field` or
 * `invalid_field`, naming the field, what was found and what was expected (O-5).
 *
 * @param spelling - how the sender's dialect spells the faulty part; canonical by default
 */
export function validateEnvelope(
  message: JsonObject,
  sending: SendingContext,
  spelling?: Spelling,
): Result<Envelope> {
  const completed = new CompletedMessage(message, sending);
  const fault = checkFrame(completed, sending) ?? checkKind(completed['kind'], sending.from);
  if (fault !== undefined) return failure(refuseFault(fault, spelling));
  // Every field of the form has just been checked.
  const envelope = completed as JsonObject as Envelope;
  const payloadFault = checkPayload(envelope);
  return payloadFault === undefined ? success(envelope) : failure(refuseFault(payloadFault, spelling));
}

function checkPayload(envelope: Envelope): Fault | undefined {
  const kind = parseKind(envelope.kind);
  if (kind === undefined) return undefined;
  const { payload, to = [] } = envelope;
  return payloadCheck(envelope.kind, kind)?.({ kind, payload, to, correlationIds: correlationIds(envelope) });
}
