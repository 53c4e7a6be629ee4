import { canonicalKindPattern } from '../envelope/dialects/legacy.js';
import { KINDS_OF_PROTOCOL } from '../envelope/kind-table.js';
import { describe, quote } from '../json/describe.js';
import type { JsonValue } from '../json/json.js';
import { failure, type Result, refuse, success } from '../refusal/refusal.js';
import { isDoubtfulPath, matchForDeny, type Strictness } from './deny-match.js';
import { compileGlob, countWildcards, type Glob, MAX_WILDCARDS, matchGlob } from './glob.js';
import { compilePathGlob, matchPathGlob } from './path-guard.js';

const URI = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

/**
 * An authority that some parsers take for another one: with a user, a port, an encoded character or a
 * final dot.
 */
const DOUBTFUL_AUTHORITY = /[@:%\\]|\.$/;

/**
 * Decides which texts may lead to what a pattern restricts although they do not match it ({@link
 * isDoubtfulPath}). The two slashes of a URI are not an empty path segment, so what follows them is
 * judged, and another scheme is something else.
 */
function doubtFor(pattern: string): (found: string) => boolean {
  const scheme = URI.exec(pattern)?.[1]?.toLowerCase();
  if (scheme === undefined) return isDoubtfulPath;
  return (found) => {
    const [start, other, authority = ''] = URI.exec(found) ?? [];
    if (start === undefined) return isDoubtfulPath(found);
    if (other?.toLowerCase() !== scheme) return false;
    return DOUBTFUL_AUTHORITY.test(authority) || isDoubtfulPath(found.slice(start.length));
  };
}

/** The maximum length of a pattern, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 1024;

const SEPARATORS = './:\\';
const LEVEL = /^[A-Za-z0-9_*-]+$/;
const METHOD = /^[A-Za-z0-9_$*-]+(?:[./][A-Za-z0-9_$*-]+)*$/;

/**
 * A pattern over kinds (O-8), in two parts, like kinds: the levels, and after the first colon the
 * context. Without a context it covers every context of what it names (O-9); with one, a kind without
 * a context does not match.
 *
 * `*` matches any text, or none, within a level (levels end at `.`, `/` and `:`); as the very last
 * character of the pattern it matches everything that follows, or nothing: `mcp.*` matches all of
 * `mcp.…` but not `mcp`, and `…:read_*` matches the tool `read_`.
 */
export interface KindPattern {
  /** The pattern in dotted form. */
  readonly text: string;
  readonly levels: Glob;
  readonly context?: (context: string) => boolean;
  /** What else it grants, if its dialect has one word for several kinds. */
  readonly also?: readonly KindPattern[];
}

/** In mew, a withdrawal and a rejection start like everything else about MCP. */
const ALSO: ReadonlyMap<string, readonly string[]> = new Map([
  ['mcp/*', ['mcpx.withdraw.proposal', 'mcpx.reject.proposal']],
]);

/** A kind in the two parts that patterns match. */
export interface KindParts {
  readonly levels: string;
  readonly context?: string;
}

/** Splits a kind at its first colon; does not check whether it is well formed. */
export function splitKind(kind: string): KindParts {
  const colon = kind.indexOf(':');
  if (colon === -1) return { levels: kind };
  return { levels: kind.slice(0, colon), context: kind.slice(colon + 1) };
}

/**
 * Parses a pattern over kinds, dotted or in slash form. Refuses non-text, empty text or text over
 * {@link MAX_PATTERN_LENGTH}, `**` (a final `*` already crosses levels), more than {@link
 * MAX_WILDCARDS} stars, and what no kind can look like.
 *
 * @param reading - of the context; `wide` also matches what could be mistaken for a match ({@link
 * matchWidely})
 */
export function parseKindPattern(
  value: JsonValue | undefined,
  field: string,
  reading: Strictness = 'narrow',
): Result<KindPattern> {
  const invalid = (what: string, expected: string) =>
    failure(refuse('invalid_field', what, { field, found: describe(value), expected }));
  if (typeof value !== 'string') return invalid(`${field} is ${describe(value)}.`, 'a pattern over kinds');
  if (value === '') return invalid(`${field} is empty.`, 'a pattern over kinds');
  if (value.length > MAX_PATTERN_LENGTH) {
    return invalid(`${field} is too long for a pattern.`, `at most ${MAX_PATTERN_LENGTH} characters`);
  }
  if (value.includes('**')) {
    return invalid(
      `${field} has a double star: ${quote(value)}.`,
      'single stars; one at the end crosses levels by itself',
    );
  }
  if (countWildcards(value) > MAX_WILDCARDS) {
    return invalid(`${field} has too many stars for a pattern.`, `at most ${MAX_WILDCARDS} stars`);
  }
  const text = canonicalKindPattern(value);
  const { levels, context } = splitKind(text);
  if (!canMatch(levels)) {
    return invalid(
      `${field} cannot match any kind: ${quote(value)}.`,
      'PROTOCOL.OPERATION.METHOD of letters, digits, _ - and *, optionally followed by a colon and a context; no negation, no regex',
    );
  }
  if (context === undefined) {
    const also = (ALSO.get(value) ?? []).map((other) => ({
      text: other,
      levels: compileGlob(other, SEPARATORS),
    }));
    const pattern = { text, levels: compileGlob(crossAtEnd(levels), SEPARATORS) };
    return success(also.length === 0 ? pattern : { ...pattern, also });
  }
  const compiled = compilePathGlob(crossAtEnd(context), SEPARATORS);
  if (context === '' || compiled === undefined) {
    return invalid(
      `${field} has a context that matches nothing: ${quote(value)}.`,
      'a context without dot segments, empty segments or encoded ones at or after its first star',
    );
  }
  const matches =
    reading === 'wide'
      ? matchForDeny(crossAtEnd(context), compiled.glob, {
          separators: SEPARATORS,
          isDoubtful: doubtFor(context),
        })
      : (found: string) => matchPathGlob(compiled, found);
  return success({ text, levels: compileGlob(levels, SEPARATORS), context: matches });
}

/** Whether the pattern grants this kind. The kind must be complete (O-9). */
export function matchKindPattern(pattern: KindPattern, kind: KindParts): boolean {
  if (!matchGlob(pattern.levels, kind.levels)) return false;
  if (pattern.context === undefined) return true;
  return kind.context !== undefined && pattern.context(kind.context);
}

/**
 * Whether levels can be those of a kind: a protocol and an operation, then perhaps a method, none of
 * them empty.
 */
function canMatch(levels: string): boolean {
  const [protocol = '', operation, ...method] = levels.split('.');
  if (!LEVEL.test(protocol)) return false;
  // A final star matches everything that follows.
  if (operation === undefined) return protocol.endsWith('*');
  return LEVEL.test(operation) && (method.length === 0 || METHOD.test(method.join('.')));
}

/**
 * The operations of the pattern's protocol, if the pattern matches none of its kinds: `mcp.propsal.*`. Kinds
 * of protocols other than Proffer's own are not known, and are carried unchanged.
 */
export function operationsInstead({ text }: KindPattern): readonly string[] | undefined {
  const { levels } = splitKind(text);
  const [protocol = ''] = levels.split('.', 1);
  const kinds = KINDS_OF_PROTOCOL.get(protocol) ?? [];
  if (kinds.length === 0 || kinds.some((kind) => couldMatch(levels, kind))) return undefined;
  return kinds.map((kind) => kind.split('.')[1] ?? '');
}

/** @param kind - with METHOD for any method */
function couldMatch(levels: string, kind: string): boolean {
  const [wanted, known] = [levels.split('.'), kind.split('.')];
  return known.every((level, index) => {
    const glob = wanted[index];
    if (glob === undefined) return levels.endsWith('*');
    return level === 'METHOD' || matchGlob(compileGlob(glob, SEPARATORS), level);
  });
}

function crossAtEnd(pattern: string): string {
  return pattern.endsWith('*') ? `${pattern}*` : pattern;
}
