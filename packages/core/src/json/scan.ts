/** What the brackets and colons of a JSON text tell before it is parsed. */
export interface Structure {
  /** The deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Colons outside strings: one for each key of each object, if the text is JSON. */
  readonly colons: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** One pass over the text, building nothing. Says nothing about whether the text is JSON. */
export function scanStructure(text: string): Structure {
  let depth = 0;
  let deepest = 0;
  let colons = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case COLON:
        colons++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      default:
    }
  }
  return { depth: deepest, colons };
}

/** The index of the quote that ends the string beginning at `start`, or the text's end. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (;;) {
    const quote = text.indexOf('"', index);
    if (quote === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
    index = quote + 1;
  }
}

/** The first key that stands twice in one object. The text must be JSON. */
export function findRepeatedKey(text: string): string {
  const open: (Set<string> | undefined)[] = [];
  let lastString = '';
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = endOfString(text, index);
        lastString = text.slice(index, end + 1);
        index = end;
        break;
      }
      case OPEN_BRACE:
        open.push(new Set());
        break;
      case OPEN_BRACKET:
        open.push(undefined);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        break;
      case COLON: {
        // "\u0061" and "a" are one key.
        const key = JSON.parse(lastString) as string;
        const keys = open.at(-1);
        if (keys?.has(key)) return key;
        keys?.add(key);
        break;
      }
      default:
    }
  }
  return lastString;
}
