import { objectOf } from '../../json/fields.js';
import type { JsonValue } from '../../json/json.js';
import { isLevel, isMethod, parseKind } from '../kind.js';
import { correlationField, type Dialect, renameField, respell } from './dialect.js';

/** Slash-form kinds that differ from their dotted twins in more than the separators. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['chat', 'chat.message'],
  ['mcp/withdraw', 'mcpx.withdraw.proposal'],
  ['mcp/reject', 'mcpx.reject.proposal'],
  ['capability/grant', 'mcpx.grant.capability'],
  ['capability/revoke', 'mcpx.revoke.capability'],
  ['space/invite', 'mcpx.invite.participant'],
  ['space/kick', 'mcpx.kick.participant'],
  ['space/invite-ack', 'system.invitation'],
]);

/** Slash-form kinds that leave the method to the payload. */
const WITHOUT_METHOD: ReadonlySet<string> = new Set(['mcp/request', 'mcp/proposal', 'mcp/notification']);

/**
 * True for `chat` and for kinds whose first separator is a slash: `mcp/request:tools/call`, not
 * `mcp.request.tools/call`.
 */
export function isSlashForm(kind: string): boolean {
  return kind === 'chat' || /^[^.:/]*\//.test(kind);
}

/**
 * The dotted twin of `PROTOCOL/OPERATION[:METHOD[:CONTEXT]]`; anything not in slash form is returned
 * unchanged. A request or proposal that has its method only in the payload gets it into the kind.
 */
export function readSlashKind(
  kind: JsonValue | undefined,
  payload: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof kind !== 'string' || !isSlashForm(kind)) return kind;
  const word = WORDS.get(kind);
  if (word !== undefined) return word;
  const dotted = replaceSeparators(kind);
  return WITHOUT_METHOD.has(kind) ? addMethod(dotted, payload) : dotted;
}

/** A dotted kind with the payload's method as its third level, if it is a valid one. */
export function addMethod(kind: string, payload: JsonValue | undefined): string {
  const method = objectOf(payload)['method'];
  return isMethod(method) ? `${kind}.${method}` : kind;
}

function replaceSeparators(kind: string): string {
  const colon = kind.indexOf(':');
  const levels = colon === -1 ? kind : kind.slice(0, colon);
  const slash = levels.indexOf('/');
  const operation = levels.slice(slash + 1);
  // Anything else is not a kind in this form; the validator quotes it as sent.
  if (!isLevel(operation)) return kind;
  return `${levels.slice(0, slash)}.${operation}${colon === -1 ? '' : `.${kind.slice(colon + 1)}`}`;
}

/** The slash form of a canonical kind: the v0.1 text's spelling, method and context included. */
export function writeSlashKind(kind: string): string {
  if (kind === 'chat.message') return 'chat';
  const parsed = parseKind(kind);
  if (parsed === undefined) return kind;
  const { protocol, operation, method, context } = parsed;
  const about = [method, context].filter((part) => part !== undefined);
  return [`${protocol}/${operation}`, ...about].join(':');
}

/** `mcpx-slash`: the v0.1 text, with `mcp/request:tools/call` and `correlation_id`. */
export const mcpxSlash: Dialect = {
  name: 'mcpx-slash',
  decode: (raw) => ({
    ...raw,
    kind: readSlashKind(raw['kind'], raw['payload']),
    correlationId: raw[correlationField(raw, 'correlation_id')],
  }),
  encode(envelope, delivered) {
    const { correlationId } = envelope;
    const kind = writeSlashKind(envelope.kind);
    const spelled = correlationId === undefined ? { kind } : { kind, correlation_id: correlationId };
    return respell(envelope, spelled, delivered);
  },
  fieldName: (field, raw) => renameField(field, 'correlationId', correlationField(raw, 'correlation_id')),
};
