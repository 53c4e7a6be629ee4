import type { JsonObject } from '../../json/json.js';
import { canonical } from './canonical.js';
import type { Dialect, DialectName } from './dialect.js';
import { canonicalOfLegacy, legacy } from './legacy.js';
import { mcpxSlash } from './mcpx-slash.js';
import { MEW_PROTOCOL, mew } from './mew.js';
import { isSlashForm } from './slash-kind.js';

/** Every dialect by its name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  mcpx: canonical,
  'mcpx-slash': mcpxSlash,
  legacy,
  'mew/v0.4': mew,
};

/**
 * The dialect of a message: mew by its `protocol`, legacy and slash by their kinds; anything else is
 * treated as canonical, whose validator says what is wrong with it.
 */
export function detectDialect(raw: JsonObject): DialectName {
  const { protocol, kind } = raw;
  if (protocol === MEW_PROTOCOL) return 'mew/v0.4';
  if (canonicalOfLegacy(kind) !== undefined) return 'legacy';
  return typeof kind === 'string' && isSlashForm(kind) ? 'mcpx-slash' : 'mcpx';
}
