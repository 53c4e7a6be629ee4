import { canonicalJson } from '../../json/canonical.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { correlationIds, type Envelope, PROTOCOL } from '../envelope.js';
import { parseKind } from '../kind.js';
import { correlationField, type Dialect, renameField } from './dialect.js';
import { mcpxSlash, readSlashKind, writeSlashKind } from './mcpx-slash.js';

/** Capabilities that mew has its own words for, some of them several. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  // A single star ends at a slash in mew.
  ['*', ['**']],
  ['mcp.*', ['mcp/request', 'mcp/response', 'mcp/proposal', 'mcp/notification']],
  ['mcp/*', ['mcp/*']],
  ['mcpx.*', ['mcp/withdraw', 'mcp/reject']],
  ['mcpx.withdraw.proposal', ['mcp/withdraw']],
  ['mcpx.reject.proposal', ['mcp/reject']],
  ['mcpx.grant.capability', ['capability/grant']],
  ['mcpx.revoke.capability', ['capability/revoke']],
  ['mcpx.invite.participant', ['space/invite']],
  ['mcpx.kick.participant', ['space/kick']],
  ['chat.*', ['chat', 'chat/*']],
]);

/**
 * A list of capabilities as mew clients know them: objects, with kinds that leave the method to the
 * payload. Such a client compares its own messages with them before it sends them.
 */
function mewCapabilities(capabilities: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(capabilities) ? capabilities.flatMap(mewCapability) : capabilities;
}

function mewCapability(capability: JsonValue): readonly JsonObject[] {
  if (isJsonObject(capability)) {
    const { kind, to, payload = {} } = capability;
    if (typeof kind !== 'string' || !isJsonObject(payload)) return [capability];
    const restricted = to === undefined ? {} : { to };
    return mewKinds(kind).map((written) => withPayload({ ...written, ...restricted }, payload));
  }
  return typeof capability === 'string' ? mewKinds(capability) : [];
}

function mewKinds(kind: string): readonly JsonObject[] {
  const words = WORDS.get(kind);
  if (words !== undefined) return words.map((word) => ({ kind: word }));
  const [, operation, method, context] =
    /^mcp[./](request|response|proposal)(?:[.:]([^:]*)(?::(.*))?)?$/.exec(kind) ?? [];
  if (operation === undefined)
    return [{ kind: parseKind(kind) === undefined ? kind.replace('.', '/') : writeSlashKind(kind) }];
  const about = {
    ...(method === undefined || method === '*' || operation === 'response' ? {} : { method }),
    ...(context === undefined
      ? {}
      : { params: { [method?.startsWith('resources/') ? 'uri' : 'name']: context } }),
  };
  return [withPayload({ kind: `mcp/${operation}` }, about)];
}

function withPayload(written: JsonObject, payload: JsonObject): JsonObject {
  const { payload: own = {} } = written;
  const whole = isJsonObject(own) ? { ...own, ...payload } : payload;
  return Object.keys(whole).length === 0 ? written : { ...written, payload: whole };
}

const GRANT_KIND = 'mcpx.grant.capability';
const REVOKE_KIND = 'mcpx.revoke.capability';

/** In mew, a grant names its `recipient`, and a revocation the `grant_id`, both in the payload. */
function readMewGrant(payload: JsonObject): { readonly payload: JsonObject; readonly ids?: JsonValue } {
  const { recipient, grant_id: grant, ...rest } = payload;
  return {
    payload: recipient === undefined ? rest : { ...rest, to: recipient },
    ...(grant === undefined ? {} : { ids: [grant] }),
  };
}

function isGrantKind(kind: string): boolean {
  return kind === GRANT_KIND || kind === REVOKE_KIND;
}

/** The payload with mew's field names. */
function writeMewGrant(envelope: Envelope): JsonObject {
  const { to, ...rest } = envelope.payload;
  const [grant] = envelope.kind === REVOKE_KIND ? correlationIds(envelope) : [];
  return {
    ...(to === undefined ? {} : { recipient: to }),
    ...(grant === undefined ? {} : { grant_id: grant }),
    ...rest,
  };
}

/** The fields about members that mew has other names for, by kind. */
const MEMBERSHIP: ReadonlyMap<string, readonly (readonly [canonical: string, mew: string])[]> = new Map([
  [
    'mcpx.invite.participant',
    [
      ['participant', 'participant_id'],
      ['capabilities', 'initial_capabilities'],
    ],
  ],
  ['mcpx.kick.participant', [['participant', 'participant_id']]],
  ['system.invitation', [['participant', 'participant_id']]],
]);

/** The payload of a message about a member, in the spelling of mew or of the canonical form. */
function respellMember(kind: string, payload: JsonObject, to: 'canonical' | 'mew'): JsonObject {
  const written: { [field: string]: JsonValue | undefined } = { ...payload };
  for (const [canonical, spelled] of MEMBERSHIP.get(kind) ?? []) {
    const [from, into] = to === 'mew' ? [canonical, spelled] : [spelled, canonical];
    const value = payload[from];
    if (value === undefined && to === 'canonical') continue;
    delete written[from];
    // Not another field that happens to have this name: it would name somebody else.
    delete written[into];
    if (value !== undefined) written[into] = value;
  }
  return written;
}

/** The name of a grant's or member's field in mew. */
function mewField(field: string, { kind }: JsonObject): string {
  if (kind === 'space/invite' || kind === 'space/kick') {
    const named = renameField(field, 'payload.participant', 'payload.participant_id');
    return renameField(named, 'payload.capabilities', 'payload.initial_capabilities');
  }
  if (kind === 'capability/grant') return renameField(field, 'payload.to', 'payload.recipient');
  if (kind !== 'capability/revoke') return field;
  const named = renameField(field, 'correlationId', 'payload.grant_id');
  return renameField(named, 'payload.to', 'payload.recipient');
}

/** The protocol that mew clients name. */
export const MEW_PROTOCOL = 'mew/v0.4';

/** The reason for a rejection without one; mew allows leaving it out. */
const NO_REASON = 'other';

/**
 * `mew/v0.4`: five short kinds with the method only in the payload, `correlation_id` always an array, capabilities
 * as objects. A message may lack its payload, a rejection its reason, and the context may be an object. What mew has
 * no word for (a status, an announcement) is written in slash form.
 */
export const mew: Dialect = {
  name: MEW_PROTOCOL,
  // Both field by field: engines take several times as long to copy a message and add to the copy.
  decode(raw) {
    const { context, from, id, kind, payload: sent = {}, protocol, to, ts } = raw;
    const isGrant = (kind === 'capability/grant' || kind === 'capability/revoke') && isJsonObject(sent);
    const { payload, ids = raw[correlationField(raw, 'correlation_id')] } = isGrant
      ? readMewGrant(sent)
      : { payload: sent };
    const dotted = readSlashKind(kind, payload);
    return {
      context: isJsonObject(context) ? canonicalJson(context) : context,
      correlationId: readIds(ids),
      from,
      id,
      kind: dotted,
      payload: readPayload(dotted, payload),
      protocol: protocol === MEW_PROTOCOL ? PROTOCOL : protocol,
      to,
      ts,
    };
  },
  encode(envelope, { seq } = {}) {
    const { context, from, id, kind, to, ts } = envelope;
    const ids = correlationIds(envelope);
    const written: { [field: string]: JsonValue } = {};
    if (context !== undefined) written['context'] = writeContext(context);
    // A revocation names the grant in its payload.
    if (ids.length > 0 && kind !== REVOKE_KIND) written['correlation_id'] = ids;
    written['from'] = from;
    written['id'] = id;
    written['kind'] = writeKind(kind);
    written['payload'] = writePayload(envelope);
    written['protocol'] = MEW_PROTOCOL;
    if (to !== undefined) written['to'] = to;
    written['ts'] = ts;
    if (seq !== undefined) written['seq'] = seq;
    return written;
  },
  fieldName: (field, raw) => mcpxSlash.fieldName(mewField(field, raw), raw),
};

/** A single id is not a list in the canonical form; an empty list means no correlation. */
function readIds(ids: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(ids) || ids.length > 1) return ids;
  const [only] = ids;
  return only === undefined || typeof only === 'string' ? only : ids;
}

function readPayload(kind: JsonValue | undefined, payload: JsonValue): JsonValue {
  if (typeof kind === 'string' && MEMBERSHIP.has(kind) && isJsonObject(payload))
    return respellMember(kind, payload, 'canonical');
  if (kind !== 'mcpx.reject.proposal' || !isJsonObject(payload) || payload['reason'] !== undefined)
    return payload;
  return { ...payload, reason: NO_REASON };
}

function writeKind(kind: string): string {
  if (kind === 'mcpx.withdraw.proposal') return 'mcp/withdraw';
  if (kind === 'mcpx.reject.proposal') return 'mcp/reject';
  if (kind === 'mcpx.invite.participant') return 'space/invite';
  if (kind === 'mcpx.kick.participant') return 'space/kick';
  if (kind === 'system.invitation') return 'space/invite-ack';
  if (isGrantKind(kind)) return kind === GRANT_KIND ? 'capability/grant' : 'capability/revoke';
  const parsed = parseKind(kind);
  return parsed?.protocol === 'mcp' ? `mcp/${parsed.operation}` : writeSlashKind(kind);
}

/** The object that a context was, if it was one. */
function writeContext(context: string): JsonValue {
  if (!context.startsWith('{')) return context;
  try {
    return JSON.parse(context) as JsonValue;
  } catch {
    return context;
  }
}

function writePayload(envelope: Envelope): JsonObject {
  const { kind, payload } = envelope;
  if (isGrantKind(kind)) return writeMewGrant(envelope);
  if (MEMBERSHIP.has(kind)) return respellMember(kind, payload, 'mew');
  return kind.startsWith('system.') ? writeSystemPayload(payload) : payload;
}

/** The gateway's messages about kinds and capabilities, in mew's spelling. */
function writeSystemPayload(payload: JsonObject): JsonObject {
  const {
    you,
    grants,
    participant,
    participants,
    attempted_kind: attempted,
    your_capabilities: yours,
  } = payload;
  return {
    ...payload,
    ...(you === undefined ? {} : { you: writeMember(withGranted(you, grants)) }),
    ...(participant === undefined ? {} : { participant: writeMember(participant) }),
    ...(isJsonArray(participants) ? { participants: participants.map(writeMember) } : {}),
    ...(typeof attempted === 'string' ? { attempted_kind: writeKind(attempted) } : {}),
    ...(yours === undefined ? {} : { your_capabilities: mewCapabilities(yours) ?? null }),
  };
}

/** To a mew client, its grants are among its capabilities. */
function withGranted(you: JsonValue, grants: JsonValue | undefined): JsonValue {
  if (!isJsonObject(you) || !isJsonArray(grants) || !isJsonArray(you['capabilities'])) return you;
  const granted = grants.flatMap((grant) =>
    isJsonObject(grant) && grant['to'] === you['id'] && isJsonArray(grant['capabilities'])
      ? grant['capabilities']
      : [],
  );
  return { ...you, capabilities: [...you['capabilities'], ...granted] };
}

function writeMember(member: JsonValue): JsonValue {
  if (!isJsonObject(member)) return member;
  const { capabilities } = member;
  return capabilities === undefined
    ? member
    : { ...member, capabilities: mewCapabilities(capabilities) ?? capabilities };
}
