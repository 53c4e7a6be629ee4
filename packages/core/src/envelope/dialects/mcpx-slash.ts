import { correlationField, type Dialect, renameField, respell } from './dialect.js';
import { readSlashKind, writeSlashKind } from './slash-kind.js';

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
