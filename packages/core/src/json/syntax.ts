/**
 * The index of the first character with which a text stops being the beginning of any JSON text, or
 * the text's length when nothing is wrong but that it ends too early. Engines say this each in their
 * own words, some not at all, and quote the text while they do. The text's depth must be bounded.
 */
export function findSyntaxError(text: string): number {
  let at = 0;

  function take(allowed: string): boolean {
    const taken = at < text.length && allowed.includes(text.charAt(at));
    if (taken) at++;
    return taken;
  }

  function takeAll(allowed: string): boolean {
    if (!take(allowed)) return false;
    while (take(allowed));
    return true;
  }

  const takeSpace = () => takeAll(' \t\n\r');
  const takeDigits = () => takeAll('0123456789');
  const takeWord = (word: string) => Array.from(word).every(take);

  function takeValue(): boolean {
    takeSpace();
    if (take('{')) return takeMembers();
    if (take('[')) return takeItems();
    switch (text.charAt(at)) {
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
    takeSpace();
    if (take('}')) return true;
    do {
      takeSpace();
      if (!takeString()) return false;
      takeSpace();
      if (!take(':') || !takeValue()) return false;
      takeSpace();
    } while (take(','));
    return take('}');
  }

  function takeItems(): boolean {
    takeSpace();
    if (take(']')) return true;
    do {
      if (!takeValue()) return false;
      takeSpace();
    } while (take(','));
    return take(']');
  }

  function takeString(): boolean {
    if (!take('"')) return false;
    while (!take('"')) {
      if (take('\\')) {
        if (take('u')) {
          for (let digit = 0; digit < 4; digit++) if (!take('0123456789abcdefABCDEF')) return false;
        } else if (!take('"\\/bfnrt')) return false;
      } else if (at === text.length || text.charCodeAt(at) < 0x20) return false;
      else at++;
    }
    return true;
  }

  function takeNumber(): boolean {
    take('-');
    if (!take('0') && !takeDigits()) return false;
    if (take('.') && !takeDigits()) return false;
    if (!take('eE')) return true;
    take('+-');
    return takeDigits();
  }

  if (takeValue()) takeSpace();
  return at;
}
