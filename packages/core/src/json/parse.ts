import { utf8Length } from '../hash/utf8.js';
import { failure, type Refusal, type Result, refuse, success } from '../refusal/refusal.js';
import { quote, shorten } from './describe.js';
import { inspect, where } from './inspect.js';
import { DEFAULT_JSON_LIMITS, formatPath, type JsonLimits, type JsonValue } from './json.js';
import { findRepeatedKey, pathTo } from './locate.js';
import { scanStructure } from './scan.js';
import { findSyntaxError } from './syntax.js';

/**
 * Parses JSON text from an untrusted peer (O-5). Refuses what `JSON.parse` would accept and two
 * parsers might understand differently: duplicate keys, `__proto__`, lone surrogates, numbers beyond
 * the range of a double, integers that a double would change ({@link isChangedInteger}); and what
 * would cost too much: size and depth, checked before anything is built. Linear in the length of the
 * text.
 */
export function parseJson(text: string, limits: JsonLimits = DEFAULT_JSON_LIMITS): Result<JsonValue> {
  const tooLarge = checkSize(text, limits.maxBytes);
  if (tooLarge !== undefined) return failure(tooLarge);

  const structure = scanStructure(text);
  if (structure.depth > limits.maxDepth) return failure(refuseDepth(structure.depth, limits.maxDepth));

  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return failure(refuseSyntax(text));
  }

  const inspected = inspect(value);
  if (inspected.refusal !== undefined) return failure(inspected.refusal);
  // JSON.parse keeps the last of several equal keys, so fewer keys than colons means a duplicate.
  if (inspected.keys !== structure.colons) {
    const key = findRepeatedKey(text);
    return failure(
      refuse('duplicate_key', `The key ${quote(key)} appears twice in one object.`, {
        field: formatPath([key]),
      }),
    );
  }
  const { changedInteger } = structure;
  if (changedInteger === undefined) return success(value);
  return failure(refuseInteger(text, changedInteger.start, changedInteger.end));
}

/** The refusal for excessive nesting. */
export function refuseDepth(depth: number, maxDepth: number): Refusal {
  return refuse('too_deep', `The message is nested ${depth} levels deep; ${maxDepth} are allowed.`, {
    found: depth,
    expected: `at most ${maxDepth} levels`,
  });
}

/** The refusal for a text over the limit, or `undefined`. */
function checkSize(text: string, maxBytes: number): Refusal | undefined {
  // A UTF-16 unit takes one to three bytes, so most texts need no counting.
  if (text.length * 3 <= maxBytes) return undefined;
  const bytes = utf8Length(text);
  if (bytes <= maxBytes) return undefined;
  return refuse('too_large', `The message has ${bytes} bytes; ${maxBytes} are allowed.`, {
    found: bytes,
    expected: `at most ${maxBytes} bytes`,
  });
}

function refuseSyntax(text: string): Refusal {
  const position = findSyntaxError(text);
  const place = position === text.length ? 'unexpected end of input' : `at character ${position + 1}`;
  return refuse('invalid_json', `The message is not JSON: ${place}.`, { position });
}

/** An approval must be for exactly what runs, and this would run a different number. */
function refuseInteger(text: string, start: number, end: number): Refusal {
  const path = pathTo(text, start);
  const found = shorten(text.slice(text.charAt(start - 1) === '-' ? start - 1 : start, end));
  const sentence = `${where(path)} has too many digits for a number: ${found}. Send it as a string.`;
  return refuse('invalid_field', sentence, {
    field: formatPath(path),
    found,
    expected: 'a string of these digits',
  });
}
