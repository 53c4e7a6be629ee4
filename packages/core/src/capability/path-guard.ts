import { compileGlob, type Glob, matchGlob } from './glob.js';

/** In UTF-16 units. No system has longer paths, and text covered by a wildcard is read several times. */
const LONGEST_PATH = 8192;

/** A glob over text that may be read as a path: its wildcards cannot escape from their place. */
export interface PathGlob {
  readonly glob: Glob;
  /** Where the text must start to be plain; `undefined` if no wildcard narrows anything down. */
  readonly guardedFrom?: number;
}

/**
 * Compiles a pattern in which `*` stays between separators and `**` does not. From the segment of the
 * first wildcard to the end, a text must be a plain path ({@link isPlainPath}); only `**` alone is
 * unrestricted, since there is nothing to escape from. A guarded wildcard does not match in a text of
 * more than 8192 characters either: no path is that long, and not granting is safe.
 *
 * Returns nothing if the pattern itself is not plain there, so that it could never match.
 */
export function compilePathGlob(pattern: string, separators: string): PathGlob | undefined {
  const glob = compileGlob(pattern, separators);
  const wildcard = pattern.indexOf('*');
  if (wildcard === -1 || pattern === '**') return { glob };
  const before = pattern.slice(0, wildcard);
  const guardedFrom = Math.max(before.lastIndexOf('/'), before.lastIndexOf('\\')) + 1;
  return isPlainPath(pattern.slice(guardedFrom)) ? { glob, guardedFrom } : undefined;
}

/** True if the whole text matches the pattern, and no wildcard covers an escape. */
export function matchPathGlob({ glob, guardedFrom }: PathGlob, text: string): boolean {
  if (guardedFrom === undefined) return matchGlob(glob, text);
  return text.length <= LONGEST_PATH && matchGlob(glob, text) && isPlainPath(text.slice(guardedFrom));
}

const PERCENT = 0x25;
const LETTER_U = 0x75;
const PATH_CHARACTERS: ReadonlySet<number> = new Set(
  Array.from('./\\', (character) => character.charCodeAt(0)),
);

/**
 * Whether decoding the text, any number of times, yields a dot, a separator or a control character.
 * Also true for the forms that only sloppy decoders read as such: overlong UTF-8 (`%c0%ae`) and
 * `%u002e`.
 *
 * A single pass: what a decoded character completes with those before it (`%2%65` is `%2e`) is
 * decoded at once, and decoded output stays, because none of it can be part of an encoding.
 */
function hasDisguise(text: string): boolean {
  const decoded: number[] = [];
  for (let index = 0; index < text.length; index++) {
    decoded.push(text.charCodeAt(index));
    for (let byte = encodedAtEnd(decoded); byte !== undefined; byte = encodedAtEnd(decoded)) {
      decoded.length -= 3;
      if (isDisguised(byte, decoded.at(-1))) return true;
      decoded.push(byte);
    }
    if (decoded.at(-2) === PERCENT && ((decoded.at(-1) ?? 0) | 0x20) === LETTER_U) return true;
  }
  return false;
}

/** The byte encoded by the last three characters, if any. */
function encodedAtEnd(decoded: readonly number[]): number | undefined {
  if (decoded.at(-3) !== PERCENT) return undefined;
  const high = hexDigit(decoded.at(-2) ?? 0);
  const low = hexDigit(decoded.at(-1) ?? 0);
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function hexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

function isDisguised(byte: number, before: number | undefined): boolean {
  if (byte < 0x20 || byte === 0x7f || PATH_CHARACTERS.has(byte)) return true;
  // C0 and C1 start only overlong forms; E0 and F0 do if so low a byte follows.
  if (byte === 0xc0 || byte === 0xc1) return true;
  return byte >= 0x80 && ((before === 0xe0 && byte < 0xa0) || (before === 0xf0 && byte < 0x90));
}

/**
 * Whether text covered by a wildcard does not escape when it is read as a path or a URI. Not plain,
 * with both `/` and `\` as separators:
 *
 * - dot segments (`.`, `..`, also with the spaces and further dots that Windows drops, or with
 *   parameters, a query or a fragment after them: `..;a`, `..?`),
 * - empty segments, except at the end and after a scheme (`file:///`): what follows one can be taken
 *   for an absolute path,
 * - percent-encoded dots, separators and control characters however often they are encoded,
 * - control characters.
 *
 * Everything else is literal text: `．．／` (full-width) is a name like any other.
 */
export function isPlainPath(text: string): boolean {
  if (hasControlCharacter(text) || (text.includes('%') && hasDisguise(text))) return false;
  const segments = text.split(/[/\\]/);
  return segments.every((segment, index) => {
    if (segment === '') return index === segments.length - 1 || followsScheme(segments, index);
    return !isDotSegment(segment);
  });
}

function isDotSegment(segment: string): boolean {
  const [name = ''] = segment.split(/[;:?#]/, 1);
  return name.includes('.') && /^[. ]+$/.test(name);
}

/** True for the empty segments in `file:///` and `https://`. */
function followsScheme(segments: readonly string[], index: number): boolean {
  const isScheme = (at: number) => segments[at]?.endsWith(':') ?? false;
  return isScheme(index - 1) || (segments[index - 1] === '' && isScheme(index - 2));
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isControl(code)) return true;
  }
  return false;
}
