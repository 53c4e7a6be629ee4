import type { CommandArgument, Word, WordPart } from 'unbash';
import { ANY_NAME, ANYTHING, joined, known, type ShellWord } from './shell-line.js';

/** The variables with known values. */
export type Variables = ReadonlyMap<string, string>;

/** The value of a word in a line, as far as it is known. */
export function wordValue(word: CommandArgument, variables: Variables): ShellWord {
  if (word.type === 'Assignment') {
    const { value } = word;
    const head = known(`${word.name}${word.append === true ? '+' : ''}=`);
    if (value.type !== 'Word' || word.index !== undefined) return joined([head, ANYTHING]);
    return joined([head, wordValue(value, variables)]);
  }
  const { text, value, parts = [{ type: 'Literal', value, text } as const] } = word;
  const rest = parts.slice(1).map((part) => partValue(part, variables));
  return joined([firstPart(parts[0], word, variables), ...rest]);
}

type Part = WordPart | { readonly type: 'Literal'; readonly value: string; readonly text: string };

function firstPart(part: Part | undefined, { text }: Word, variables: Variables): ShellWord {
  if (part === undefined) return known('');
  return part.type === 'Literal' && text.startsWith('~')
    ? tilde(part.value, variables)
    : partValue(part, variables);
}

function partValue(part: Part, variables: Variables, isQuoted = false): ShellWord {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return known(part.value);
    case 'DoubleQuoted':
      return joined(part.parts.map((inner) => partValue(inner, variables, true)));
    case 'SimpleExpansion':
      return variable(part.text.slice(1), variables, isQuoted);
    case 'ParameterExpansion': {
      const isPlain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return variable(isPlain ? part.parameter : '', variables, isQuoted);
    }
    case 'Glob':
      return ANY_NAME;
    default:
      return ANYTHING;
  }
}

/** Without quotes, a value is split at spaces, and its globs are expanded. */
function variable(name: string, variables: Variables, isQuoted: boolean): ShellWord {
  const value = variables.get(name);
  return value === undefined || !(isQuoted || /^[\w./-]+$/.test(value)) ? ANYTHING : known(value);
}

/** `~` is the home folder; `~name` is another user's, and an unset variable is unknown. */
function tilde(text: string, variables: Variables): ShellWord {
  const home = variables.get('HOME');
  const isOwn = text === '~' || text.startsWith('~/');
  return isOwn && home !== undefined
    ? known(`${home}${text.slice(1)}`)
    : joined([ANYTHING, known(text.replace(/^~[^/]*/, ''))]);
}
