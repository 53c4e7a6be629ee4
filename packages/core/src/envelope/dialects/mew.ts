import { isJsonArray, type JsonValue } from '../../json/json.js';
import { correlationIds, PROTOCOL } from '../envelope.js';
import { parseKind } from '../kind.js';
import { type Dialect, respell } from './dialect.js';
import { mcpxSlash } from './mcpx-slash.js';
import { writeSlashKind } from './slash-kind.js';

/** The protocol that mew clients name. */
export const MEW_PROTOCOL = 'mew/v0.4';

/**
 * `mew/v0.4`: five short kinds with the method only in the payload, `correlation_id` always an array.
 * What mew has no word for (a status, an announcement) is written in slash form.
 */
export const mew: Dialect = {
  name: MEW_PROTOCOL,
  decode(raw) {
    const slash = mcpxSlash.decode(raw);
    return {
      ...slash,
      protocol: raw['protocol'] === MEW_PROTOCOL ? PROTOCOL : raw['protocol'],
      correlationId: readIds(slash['correlationId']),
    };
  },
  encode(envelope, delivered) {
    const ids = correlationIds(envelope);
    const spelled = { protocol: MEW_PROTOCOL, kind: writeKind(envelope.kind) };
    return respell(envelope, ids.length === 0 ? spelled : { ...spelled, correlation_id: ids }, delivered);
  },
  fieldName: (field, raw) => mcpxSlash.fieldName(field, raw),
};

/** One id stands alone in the canonical form; no ids are no correlation. */
function readIds(ids: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(ids) || ids.length > 1) return ids;
  const [only] = ids;
  return only === undefined || typeof only === 'string' ? only : ids;
}

function writeKind(kind: string): string {
  if (kind === 'mcpx.withdraw.proposal') return 'mcp/withdraw';
  if (kind === 'mcpx.reject.proposal') return 'mcp/reject';
  const parsed = parseKind(kind);
  return parsed?.protocol === 'mcp' ? `mcp/${parsed.operation}` : writeSlashKind(kind);
}
