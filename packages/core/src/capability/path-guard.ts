import { hasDisguise } from './percent-encoding.js';

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
