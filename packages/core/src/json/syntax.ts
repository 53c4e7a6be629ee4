import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isDigit,
  isSpace,
  MINUS,
  POINT,
  QUOTE,
  ZERO,
} from './characters.js';

const FIRST_PRINTABLE = 0x20;

/**
 * The index of the first character with which a text stops being the prefix of any JSON text, or the
 * text's length if it only ends too early. Engines each report this in their own words, some not at
 * all, and quote the text. The text's depth must be bounded.
 */
export function findSyntaxError(text: string): number {
  let at = 0;

  function take(code: number): boolean {
    const taken = text.charCodeAt(at) === code;
    if (taken) at++;
    return taken;
  }

  function takeOneOf(allowed: string): boolean {
    const taken = at < text.length && allowed.includes(text.charAt(at));
    if (taken) at++;
    return taken;
  }

  const takeWord = (word: string) => Array.from(word).every(takeOneOf);

  function takeSpace(): void {
    while (isSpace(text.charCodeAt(at))) at++;
  }

  function takeDigits(): boolean {
    const start = at;
    while (isDigit(text.charCodeAt(at))) at++;
    return at > start;
  }

  function takeValue(): boolean {
    takeSpace();
    switch (text.charAt(at)) {
      case '{':
        return takeMembers();
      case '[':
        return takeItems();
      case '"':
        return takeString();
      case 't':
        return takeWord('true');
      case 'f':
        return takeWord('false');
      case 'n':
        return takeWord('null');
      default:
        return takeNumber();
    }
  }

  function takeMembers(): boolean {
    at++;
    takeSpace();
    if (take(CLOSE_BRACE)) return true;
    do {
      takeSpace();
      if (!takeString()) return false;
      takeSpace();
      if (!take(COLON) || !takeValue()) return false;
      takeSpace();
    } while (take(COMMA));
    return take(CLOSE_BRACE);
  }

  function takeItems(): boolean {
    at++;
    takeSpace();
    if (take(CLOSE_BRACKET)) return true;
    do {
      if (!takeValue()) return false;
      takeSpace();
    } while (take(COMMA));
    return take(CLOSE_BRACKET);
  }

  function takeString(): boolean {
    if (!take(QUOTE)) return false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (at === text.length || code < FIRST_PRINTABLE) return false;
      if (code === BACKSLASH) {
        if (!takeEscape()) return false;
        continue;
      }
      at++;
      if (code === QUOTE) return true;
    }
  }

  function takeEscape(): boolean {
    at++;
    if (!takeOneOf('u')) return takeOneOf('"\\/bfnrt');
    for (let digit = 0; digit < 4; digit++) if (!takeOneOf('0123456789abcdefABCDEF')) return false;
    return true;
  }

  function takeNumber(): boolean {
    take(MINUS);
    if (!take(ZERO) && !takeDigits()) return false;
    if (take(POINT) && !takeDigits()) return false;
    if (!takeOneOf('eE')) return true;
    takeOneOf('+-');
    return takeDigits();
  }

  if (takeValue()) takeSpace();
  return at;
}
