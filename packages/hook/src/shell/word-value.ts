import type { CommandArgument, Word, WordPart } from 'unbash';
import { known, type ShellWord } from './shell-line.js';

/** The variables with known values. */
export type Variables = ReadonlyMap<string, string>;

/** The value of a word in a line, as far as it is known. */
export function wordValue(word: CommandArgument, variables: Variables): ShellWord {
  if (word.type === 'Assignment') {
    const { value } = word;
    const head = `${word.name}${word.append === true ? '+' : ''}=`;
    if (value.type !== 'Word' || word.index !== undefined) return { value: null, beginning: head };
    const rest = wordValue(value, variables);
    return {
      value: rest.value === null ? null : `${head}${rest.value}`,
      beginning: `${head}${rest.beginning}`,
    };
  }
  const parts = word.parts ?? [{ type: 'Literal', value: word.value, text: word.text } as const];
  return joined(parts, variables, word);
}

type Part = WordPart | { readonly type: 'Literal'; readonly value: string; readonly text: string };

function joined(parts: readonly Part[], variables: Variables, word?: Word): ShellWord {
  let beginning = '';
  for (const [index, part] of parts.entries()) {
    const isFirst = index === 0 && word !== undefined;
    const text = partValue(part, variables, isFirst ? word : undefined);
    beginning += text.beginning;
    if (text.value === null) return { value: null, beginning };
  }
  return known(beginning);
}

function partValue(part: Part, variables: Variables, begins: Word | undefined): ShellWord {
  switch (part.type) {
    case 'Literal':
      return begins?.text.startsWith('~') === true ? tilde(part.value, variables) : known(part.value);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return known(part.value);
    case 'DoubleQuoted':
      return joined(part.parts, variables);
    case 'SimpleExpansion':
      return variable(part.text.slice(1), variables);
    case 'ParameterExpansion': {
      const isPlain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return variable(isPlain ? part.parameter : '', variables);
    }
    default:
      return { value: null, beginning: '' };
  }
}

function variable(name: string, variables: Variables): ShellWord {
  const value = variables.get(name);
  return value === undefined ? { value: null, beginning: '' } : known(value);
}

/** `~` is the home folder; `~name` is another user's, and an unset variable is unknown. */
function tilde(text: string, variables: Variables): ShellWord {
  const home = variables.get('HOME');
  const isOwn = text === '~' || text.startsWith('~/');
  return isOwn && home !== undefined ? known(`${home}${text.slice(1)}`) : { value: null, beginning: '' };
}
