import type { Language } from './language.js';

/** What a part of a line is; `undefined` for the rest. */
export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'name';

export interface Token {
  readonly text: string;
  readonly kind: TokenKind | undefined;
}

/** What a line begins inside of: a comment or a text that an earlier line opened. Empty at the start of a text. */
export type LineState = '' | '*/' | '`' | '"""' | "'''" | '-->';

const KEYWORDS =
  /^(?:abstract|and|as|async|await|begin|break|by|case|catch|class|const|continue|create|def|default|delete|do|done|drop|elif|else|elsif|end|enum|esac|except|export|extends|false|fi|final|finally|fn|for|from|func|function|group|if|impl|implements|import|in|insert|interface|into|is|join|lambda|let|limit|local|loop|match|mod|module|mut|namespace|new|nil|none|not|null|of|on|or|order|override|package|pass|private|protected|pub|public|raise|readonly|require|return|select|self|set|static|struct|super|switch|table|then|this|throw|trait|true|try|type|typeof|undefined|union|unless|until|update|use|using|values|var|void|where|while|with|yield)$/;

/** Everything here takes time in proportion to the text, whatever is in it: the text is somebody else's. */
const COMMON = String.raw`(?<hidden>\[redacted(?: \d+)?\])|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$@][\p{L}\p{M}\p{N}\p{Cf}_$-]*)`;
const QUOTED = String.raw`(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)`;

interface Grammar {
  readonly pattern: RegExp;
  /** What opens something that may go on in the next line, and what closes it. */
  readonly opens: Readonly<Record<string, LineState>>;
  readonly hasKeywords: boolean;
}

function grammar(comment: string, opens: Grammar['opens'] = {}, hasKeywords = true): Grammar {
  const starts = Object.keys(opens).map((each) => each.replaceAll('*', String.raw`\*`));
  const open = starts.length === 0 ? '' : `(?<open>${starts.join('|')})|`;
  return { pattern: new RegExp(`${comment}${open}${QUOTED}|${COMMON}`, 'gu'), opens, hasKeywords };
}

const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  c: grammar('(?<comment>//.*)|', { '/*': '*/', '`': '`' }),
  // A number sign inside a word is no comment, and neither is `$#`.
  script: grammar(String.raw`(?<comment>(?<![^\s;])#.*)|`, { '"""': '"""', "'''": "'''" }),
  sql: grammar('(?<comment>--.*)|', { '/*': '*/' }),
  json: grammar('(?<comment>//.*)|'),
  yaml: grammar(
    String.raw`(?<comment>(?<!\S)#.*|^\s*;.*)|(?<key>^\s*(?:- )*[\w."'/-]+(?=\s*[:=]))|`,
    {},
    true,
  ),
  markup: grammar(String.raw`(?<key></?[\w:-]+|/?>)|`, { '<!--': '-->' }, false),
};

/** The parts of one line, and what the next one begins inside of. Put together they are the line. */
export function tokensOf(
  line: string,
  language: Language,
  from: LineState,
): { readonly tokens: readonly Token[]; readonly state: LineState } {
  const { pattern, opens, hasKeywords } = GRAMMARS[language];
  const tokens: Token[] = [];
  let state: LineState = from;
  let at = 0;
  const take = (end: number, kind: TokenKind | undefined): void => {
    const text = line.slice(at, end);
    at = end;
    if (text === '') return;
    const last = tokens.at(-1);
    if (last !== undefined && last.kind === kind)
      tokens[tokens.length - 1] = { text: last.text + text, kind };
    else tokens.push({ text, kind });
  };
  while (at < line.length) {
    if (state !== '') {
      const end = line.indexOf(state, at);
      take(end === -1 ? line.length : end + state.length, kindInside(state));
      if (end !== -1) state = '';
      continue;
    }
    pattern.lastIndex = at;
    const found = pattern.exec(line);
    if (found === null) break;
    take(found.index, undefined);
    const { open, hidden, comment, string, number, key, word = '' } = found.groups ?? {};
    const end = found.index + found[0].length;
    if (open !== undefined) {
      state = opens[open] ?? '';
      const close = line.indexOf(state, end);
      take(close === -1 ? line.length : close + state.length, kindInside(state));
      if (close !== -1) state = '';
    } else if (comment !== undefined) take(end, 'comment');
    else if (hidden !== undefined) take(end, undefined);
    else if (string !== undefined) take(end, 'string');
    else if (number !== undefined) take(end, 'number');
    else if (key !== undefined) take(end, 'name');
    else take(end, hasKeywords && KEYWORDS.test(word.toLowerCase()) ? 'keyword' : undefined);
  }
  take(line.length, undefined);
  return { tokens, state };
}

function kindInside(state: LineState): TokenKind {
  return state === '*/' || state === '-->' ? 'comment' : 'string';
}
