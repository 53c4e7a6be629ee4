import { canonicalJson } from '../../json/canonical.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { correlationIds, type Envelope, PROTOCOL } from '../envelope.js';
import { parseKind } from '../kind.js';
import { type Dialect, respell } from './dialect.js';
import { mcpxSlash } from './mcpx-slash.js';
import { mewCapabilities } from './mew-capability.js';
import {
  GRANT_KIND,
  isGrantKind,
  mewGrantField,
  REVOKE_KIND,
  readMewGrant,
  writeMewGrant,
} from './mew-grant.js';
import { writeSlashKind } from './slash-kind.js';

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
  decode(raw) {
    const { payload = {}, context } = raw;
    const slash = mcpxSlash.decode(readMewGrant({ ...raw, payload }));
    return {
      ...slash,
      protocol: raw['protocol'] === MEW_PROTOCOL ? PROTOCOL : raw['protocol'],
      correlationId: readIds(slash['correlationId']),
      payload: readPayload(slash['kind'], slash['payload'] ?? payload),
      ...(isJsonObject(context) ? { context: canonicalJson(context) } : {}),
    };
  },
  encode(envelope, delivered) {
    const ids = correlationIds(envelope);
    const spelled: JsonObject = {
      protocol: MEW_PROTOCOL,
      kind: writeKind(envelope.kind),
      // A revocation names the grant in its payload.
      ...(ids.length === 0 || envelope.kind === REVOKE_KIND ? {} : { correlation_id: ids }),
      ...writeContext(envelope.context),
      ...writeSystemPayload(envelope),
      ...(isGrantKind(envelope.kind) ? writeMewGrant(envelope) : {}),
    };
    return respell(envelope, spelled, delivered);
  },
  fieldName: (field, raw) => mcpxSlash.fieldName(mewGrantField(field, raw), raw),
};

/** A single id is not a list in the canonical form; an empty list means no correlation. */
function readIds(ids: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(ids) || ids.length > 1) return ids;
  const [only] = ids;
  return only === undefined || typeof only === 'string' ? only : ids;
}

function readPayload(kind: JsonValue | undefined, payload: JsonValue): JsonValue {
  if (kind !== 'mcpx.reject.proposal' || !isJsonObject(payload) || payload['reason'] !== undefined)
    return payload;
  return { ...payload, reason: NO_REASON };
}

function writeKind(kind: string): string {
  if (kind === 'mcpx.withdraw.proposal') return 'mcp/withdraw';
  if (kind === 'mcpx.reject.proposal') return 'mcp/reject';
  if (isGrantKind(kind)) return kind === GRANT_KIND ? 'capability/grant' : 'capability/revoke';
  const parsed = parseKind(kind);
  return parsed?.protocol === 'mcp' ? `mcp/${parsed.operation}` : writeSlashKind(kind);
}

/** The object that a context was, if it was one. */
function writeContext(context: string | undefined): JsonObject {
  if (context?.startsWith('{') !== true) return {};
  try {
    return { context: JSON.parse(context) as JsonValue };
  } catch {
    return {};
  }
}

/** The gateway's messages about kinds and capabilities, in mew's spelling. */
function writeSystemPayload({ kind, payload }: Envelope): JsonObject {
  if (!kind.startsWith('system.')) return {};
  const {
    you,
    grants,
    participant,
    participants,
    attempted_kind: attempted,
    your_capabilities: yours,
  } = payload;
  return {
    payload: {
      ...payload,
      ...(you === undefined ? {} : { you: writeMember(withGranted(you, grants)) }),
      ...(participant === undefined ? {} : { participant: writeMember(participant) }),
      ...(isJsonArray(participants) ? { participants: participants.map(writeMember) } : {}),
      ...(typeof attempted === 'string' ? { attempted_kind: writeKind(attempted) } : {}),
      ...(yours === undefined ? {} : { your_capabilities: mewCapabilities(yours) ?? null }),
    },
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
