import type { JsonObject } from '../../json/json.js';
import { correlationField, type Dialect, type DialectName, deliver, renameField } from './dialect.js';
import { canonicalOfLegacy, legacy } from './legacy.js';
import { isSlashForm, mcpxSlash } from './mcpx-slash.js';
import { MEW_PROTOCOL, mew } from './mew.js';

/** `mcpx`: the canonical form itself (O-1). */
const canonical: Dialect = {
  name: 'mcpx',
  decode(raw) {
    const field = correlationField(raw, 'correlationId');
    return field === 'correlationId' ? raw : { ...raw, correlationId: raw[field] };
  },
  encode: (envelope, delivered) => deliver(envelope, delivered),
  fieldName: (field, raw) => renameField(field, 'correlationId', correlationField(raw, 'correlationId')),
};

/** Every dialect by its name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  mcpx: canonical,
  'mcpx-slash': mcpxSlash,
  legacy,
  'mew/v0.4': mew,
};

/**
 * The dialect of a message: mew by its `protocol`, legacy and slash by their kinds; anything else is
 * treated as canonical, whose validator says what is wrong with it. Mew's kinds look like those of the slash
 * form, so where mew is spoken a message without `protocol` is mew's.
 *
 * @param spoken - the dialect of the connection, if it is known
 */
export function detectDialect(raw: JsonObject, spoken?: DialectName): DialectName {
  const { protocol, kind } = raw;
  if (protocol === MEW_PROTOCOL || (protocol === undefined && spoken === 'mew/v0.4')) return 'mew/v0.4';
  if (canonicalOfLegacy(kind) !== undefined) return 'legacy';
  return typeof kind === 'string' && isSlashForm(kind) ? 'mcpx-slash' : 'mcpx';
}
