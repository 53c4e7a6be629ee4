import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './characters.js';
import { endOfString } from './scan.js';

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
