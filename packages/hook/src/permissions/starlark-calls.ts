/** A value in a call: a text, or a list. */
type Value = string | readonly Value[];

/** A call at the top of a file, with its arguments by name. */
export interface StarlarkCall {
  readonly name: string;
  readonly given: Readonly<Record<string, Value>>;
}

/**
 * The calls in a Starlark file that has nothing else in it: names, texts without escapes, and lists of them. `undefined`
 * for a file that is a program.
 */
export function readCalls(text: string): readonly StarlarkCall[] | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  let at = 0;
  const take = (wanted: string): boolean => tokens[at] === wanted && ++at > 0;
  const value = (): Value | undefined => {
    const token = tokens[at++] ?? '';
    if (/^["']/.test(token)) return token.slice(1, -1);
    if (token !== '[') return undefined;
    const items: Value[] = [];
    while (!take(']')) {
      const item = value();
      if (item === undefined) return undefined;
      items.push(item);
      if (!take(',') && tokens[at] !== ']') return undefined;
    }
    return items;
  };
  const calls: StarlarkCall[] = [];
  while (at < tokens.length) {
    const name = tokens[at++] ?? '';
    if (!/^[a-z_]/i.test(name) || !take('(')) return undefined;
    const given: Record<string, Value> = {};
    while (!take(')')) {
      const key = tokens[at++] ?? '';
      const found = take('=') ? value() : undefined;
      if (found === undefined) return undefined;
      given[key] = found;
      if (!take(',') && tokens[at] !== ')') return undefined;
    }
    calls.push({ name, given });
  }
  return calls;
}

const TOKEN = /\s+|#[^\n]*|"[^"\\\n]*"|'[^'\\\n]*'|[A-Za-z_]\w*|[()[\],=]/y;

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return undefined;
    if (!/^[\s#]/.test(token)) tokens.push(token);
  }
  return tokens;
}
