import { correlationField, type Dialect, renameField, respell } from './dialect.js';

/** `mcpx`: the canonical form itself (O-1). */
export const canonical: Dialect = {
  name: 'mcpx',
  decode: (raw) => ({ ...raw, correlationId: raw[correlationField(raw, 'correlationId')] }),
  encode(envelope, delivered) {
    const { correlationId } = envelope;
    return respell(envelope, correlationId === undefined ? {} : { correlationId }, delivered);
  },
  fieldName: (field, raw) => renameField(field, 'correlationId', correlationField(raw, 'correlationId')),
};
