import { canonicalOfLegacy } from './legacy.js';
import { isSlashForm, readSlashKind } from './slash-kind.js';

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
