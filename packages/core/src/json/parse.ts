import { utf8Length } from '../hash/utf8.js';
import { failure, type Refusal, type Result, refuse, success } from '../refusal/refusal.js';
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './characters.js';
import { quote, shorten } from './describe.js';
import { inspect, where } from './inspect.js';
import { DEFAULT_JSON_LIMITS, formatPath, type JsonLimits, type JsonValue } from './json.js';
import { endOfString, scanStructure } from './scan.js';
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

  const inspected = inspect(value, text);
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

/** Receives the tokens of a text, in order. */
interface Listener {
  opened(bracket: 'object' | 'array'): void;
  closed(): void;
  /** A key with its escapes, without its quotes. */
  key(raw: string): void;
  comma?(): void;
}

/** The first key that appears twice in one object. The text must be JSON. */
export function findRepeatedKey(text: string): string {
  const open: (Set<string> | undefined)[] = [];
  let repeated: string | undefined;
  readTokens(text, text.length, {
    opened: () => open.push(undefined),
    closed: () => open.pop(),
    key(raw) {
      const key = unescape(raw);
      const siblings = open.at(-1);
      if (siblings === undefined) open[open.length - 1] = new Set([key]);
      else if (siblings.has(key)) repeated ??= key;
      else siblings.add(key);
    },
  });
  return repeated ?? '';
}

/** The path to the value that starts at a position. The text must be JSON. */
export function pathTo(text: string, position: number): readonly (string | number)[] {
  const path: (string | number)[] = [];
  readTokens(text, position, {
    opened: (bracket) => path.push(bracket === 'array' ? 0 : ''),
    closed: () => path.pop(),
    key(raw) {
      path[path.length - 1] = raw;
    },
    comma() {
      const step = path.at(-1);
      if (typeof step === 'number') path[path.length - 1] = step + 1;
    },
  });
  return path.map((step) => (typeof step === 'number' ? step : unescape(step)));
}

function readTokens(text: string, end: number, listener: Listener): void {
  let lastString = '';
  for (let index = 0; index < end; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const quote = endOfString(text, index);
        lastString = text.slice(index + 1, quote);
        index = quote;
        break;
      }
      case COLON:
        listener.key(lastString);
        break;
      case COMMA:
        listener.comma?.();
        break;
      case OPEN_BRACE:
        listener.opened('object');
        break;
      case OPEN_BRACKET:
        listener.opened('array');
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        listener.closed();
        break;
      default:
    }
  }
}

/**
 * `\u0061` and `a` are the same key. Most need no unescaping, and asking the parser about each takes
 * long.
 */
function unescape(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}
