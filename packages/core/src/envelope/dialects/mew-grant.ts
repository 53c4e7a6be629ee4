import { isJsonObject, type JsonObject } from '../../json/json.js';
import { correlationIds, type Envelope } from '../envelope.js';
import { renameField } from './dialect.js';

export const GRANT_KIND = 'mcpx.grant.capability';
export const REVOKE_KIND = 'mcpx.revoke.capability';

/** In mew, a grant names its `recipient`, and a revocation the `grant_id`, both in the payload. */
export function readMewGrant(raw: JsonObject): JsonObject {
  const { kind, payload } = raw;
  if ((kind !== 'capability/grant' && kind !== 'capability/revoke') || !isJsonObject(payload)) return raw;
  const { recipient, grant_id: grant, ...rest } = payload;
  return {
    ...raw,
    ...(grant === undefined ? {} : { correlation_id: [grant] }),
    payload: recipient === undefined ? rest : { ...rest, to: recipient },
  };
}

export function isGrantKind(kind: string): boolean {
  return kind === GRANT_KIND || kind === REVOKE_KIND;
}

/** The payload with mew's field names. */
export function writeMewGrant(envelope: Envelope): JsonObject {
  const { to, ...rest } = envelope.payload;
  const [grant] = envelope.kind === REVOKE_KIND ? correlationIds(envelope) : [];
  return {
    payload: {
      ...(to === undefined ? {} : { recipient: to }),
      ...(grant === undefined ? {} : { grant_id: grant }),
      ...rest,
    },
  };
}

/** The name of a grant's field in mew. */
export function mewGrantField(field: string, { kind }: JsonObject): string {
  if (kind === 'capability/grant') return renameField(field, 'payload.to', 'payload.recipient');
  if (kind !== 'capability/revoke') return field;
  const named = renameField(field, 'correlationId', 'payload.grant_id');
  return renameField(named, 'payload.to', 'payload.recipient');
}
