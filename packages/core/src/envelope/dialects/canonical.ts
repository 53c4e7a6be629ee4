import { correlationField, type Dialect, deliver, renameField } from './dialect.js';

/** `mcpx`: the canonical form itself (O-1). */
export const canonical: Dialect = {
  name: 'mcpx',
  decode(raw) {
    const field = correlationField(raw, 'correlationId');
    return field === 'correlationId' ? raw : { ...raw, correlationId: raw[field] };
  },
  encode: (envelope, delivered) => deliver(envelope, delivered),
  fieldName: (field, raw) => renameField(field, 'correlationId', correlationField(raw, 'correlationId')),
};
