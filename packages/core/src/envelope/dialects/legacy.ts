import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import type { Envelope } from '../envelope.js';
import { type Delivered, type Dialect, renameField, respell } from './dialect.js';
import { addMethod, isSlashForm, mcpxSlash, readSlashKind } from './mcpx-slash.js';

type IdField = 'proposalId' | 'proposal_id';

interface LegacyKind {
  readonly kind: string;
  readonly canonical: string;
  /** The payload field with the proposal's id. */
  readonly idField: IdField;
}

/** The spelling that is written comes before those that are only read. */
const LIFECYCLE: readonly LegacyKind[] = [
  { kind: 'proposal/withdraw', canonical: 'mcpx.withdraw.proposal', idField: 'proposalId' },
  { kind: 'proposal-reject', canonical: 'mcpx.reject.proposal', idField: 'proposal_id' },
  { kind: 'proposal/reject', canonical: 'mcpx.reject.proposal', idField: 'proposal_id' },
  { kind: 'proposal/status', canonical: 'mcpx.status.proposal', idField: 'proposalId' },
];

/**
 * The canonical twin of a kind that only the legacy dialect has, without the method of a proposal;
 * `undefined` for other kinds.
 */
export function canonicalOfLegacy(kind: JsonValue | undefined): string | undefined {
  return kind === 'proposal' ? 'mcp.proposal' : lifecycleKind(kind)?.canonical;
}

function lifecycleKind(kind: JsonValue | undefined): LegacyKind | undefined {
  return LIFECYCLE.find((known) => known.kind === kind);
}

/**
 * `legacy`: the kinds of the drafts before v0.1's lifecycle. A proposal is `proposal`, and messages
 * about one name it inside the payload. Everything else is as in `mcpx-slash`, the text that those
 * drafts amended.
 */
export const legacy: Dialect = {
  name: 'legacy',
  decode(raw) {
    const slash = mcpxSlash.decode(raw);
    const payload = raw['payload'];
    if (raw['kind'] === 'proposal') {
      return { ...slash, kind: addMethod('mcp.proposal', payload), payload: readPreferred(payload) };
    }
    const known = lifecycleKind(raw['kind']);
    if (known === undefined) return slash;
    const field = idFieldOf(payload, known.idField);
    if (field === undefined || !isJsonObject(payload)) return { ...slash, kind: known.canonical };
    const { [field]: correlationId, ...rest } = payload;
    return { ...slash, kind: known.canonical, correlationId, payload: rest };
  },
  encode(envelope, delivered) {
    const known = LIFECYCLE.find(({ canonical }) => canonical === envelope.kind);
    if (known !== undefined) return encodeLifecycle(envelope, known, delivered);
    const slash = mcpxSlash.encode(envelope, delivered);
    if (!envelope.kind.startsWith('mcp.proposal.')) return slash;
    return { ...slash, kind: 'proposal', payload: writePreferred(envelope.payload) };
  },
  fieldName(field, raw) {
    const known = lifecycleKind(raw['kind']);
    const own = known === undefined ? preferredName(field, raw) : correlationName(field, raw, known);
    return mcpxSlash.fieldName(own, raw);
  },
};

function correlationName(field: string, raw: JsonObject, { idField }: LegacyKind): string {
  const given = idFieldOf(raw['payload'], idField);
  const atTheTop = raw['correlationId'] !== undefined || raw['correlation_id'] !== undefined;
  if (given === undefined && atTheTop) return field;
  return renameField(field, 'correlationId', `payload.${given ?? idField}`);
}

function preferredName(field: string, raw: JsonObject): string {
  const payload = raw['payload'];
  if (raw['kind'] !== 'proposal' || !isJsonObject(payload) || payload['targeting'] !== undefined)
    return field;
  const list = 'payload.targeting.preferred';
  return renameField(field, isJsonArray(payload['preferred']) ? list : `${list}[0]`, 'payload.preferred');
}

function encodeLifecycle(
  envelope: Envelope,
  { kind, idField }: LegacyKind,
  delivered?: Delivered,
): JsonObject {
  const payload = { ...envelope.payload, [idField]: envelope.correlationId };
  return respell(envelope, { kind, payload }, delivered);
}

/** The field that holds the id: the kind's own, else the other spelling. */
function idFieldOf(payload: JsonValue | undefined, own: IdField): IdField | undefined {
  if (!isJsonObject(payload)) return undefined;
  const other = own === 'proposalId' ? 'proposal_id' : 'proposalId';
  return ([own, other] as const).find((field) => payload[field] !== undefined);
}

/** Next to `targeting`, `preferred` has no effect; it is kept like any unknown field. */
function readPreferred(payload: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(payload) || payload['targeting'] !== undefined) return payload;
  const { preferred, ...rest } = payload;
  if (preferred === undefined) return payload;
  return { ...rest, targeting: { preferred: isJsonArray(preferred) ? preferred : [preferred] } };
}

function writePreferred(payload: JsonObject): JsonObject {
  const { targeting, preferred, ...rest } = payload;
  // Where it means nothing, it must not gain a meaning for a legacy reader.
  if (targeting === undefined) return rest;
  if (preferred !== undefined || !isJsonObject(targeting)) return payload;
  const { preferred: names, ...more } = targeting;
  const [only] = isJsonArray(names) && names.length === 1 ? names : [];
  return only === undefined || Object.keys(more).length > 0 ? payload : { ...rest, preferred: only };
}

/** Slash-form patterns that cover more kinds than the one they spell. */
const FAMILIES: ReadonlyMap<string, string> = new Map([
  ['proposal', 'mcp.proposal.*'],
  ['mcp/proposal', 'mcp.proposal.*'],
  ['mcp/request', 'mcp.request.*'],
  // With and without a method; no other operation has this prefix.
  ['mcp/response', 'mcp.response*'],
  ['proposal/*', 'mcpx.*.proposal'],
]);

/**
 * The canonical twin of a capability pattern over kinds (O-8): patterns in slash form, of mew and of
 * the legacy dialect are read as dotted ones; dotted patterns and `*` stay unchanged. Does not
 * validate the pattern.
 */
export function canonicalKindPattern(pattern: string): string {
  const known = FAMILIES.get(pattern) ?? canonicalOfLegacy(pattern);
  if (known !== undefined) return known;
  if (!isSlashForm(pattern)) return pattern;
  const word = readSlashKind(pattern, undefined);
  if (typeof word === 'string' && !isSlashForm(word)) return word;
  // With a `*` in it, a level is not a level; only its separators need to change.
  return pattern.replace('/', '.').replace(':', '.');
}
