import { WRAPPERS, type Wrapper } from './known-programs.js';
import { ANYTHING, type ShellVariable, type ShellWord } from './shell-line.js';

/** The command that a program runs: its words, empty if it runs none, or why that is unclear. */
export type Wrapped =
  | {
      readonly words: readonly ShellWord[];
      /** Set for it, as in `env A=1 ls`. */
      readonly variables: readonly ShellVariable[];
      readonly isElsewhere: boolean;
    }
  | { readonly unknown: string }
  | undefined;

/** What a program such as `sudo` or `xargs` runs, by its words. */
export function wrappedBy(program: string, args: readonly ShellWord[]): Wrapped {
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return undefined;
  const start = skipOwnArguments(program, wrapper, args);
  if (typeof start !== 'number') return start;
  const own = args.slice(0, start);
  const words = args.slice(start);
  if (words.length === 0) return undefined;
  const variables = wrapper.assigns === true ? own.flatMap(({ value }) => variableIn(value ?? '')) : [];
  const isElsewhere = own.some(({ value }) => /^-[CD]|^--chdir/.test(value ?? ''));
  return {
    words: wrapper.appends === true ? [...fill(words, own), ANYTHING] : words,
    variables,
    isElsewhere,
  };
}

function variableIn(word: string): readonly ShellVariable[] {
  const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
  return name === undefined ? [] : [{ name, value }];
}

/** Where the command starts; or that there is none, or that it is unclear. */
function skipOwnArguments(program: string, wrapper: Wrapper, args: readonly ShellWord[]): number | Wrapped {
  const unknown = { unknown: `what ${program} runs here is only known at run time` };
  let operands = wrapper.operands ?? 0;
  for (let index = 0; index < args.length; index++) {
    const { value } = args[index] as ShellWord;
    if (value === null) return unknown;
    if (value === '--') {
      if (operands === 0) return index + 1;
      continue;
    }
    if (value.startsWith('-') && value !== '-') {
      const taken = optionLength(wrapper, value);
      if (taken === 'opaque') return unknown;
      if (taken === 'describes') return undefined;
      index += taken - 1;
    } else if (wrapper.assigns === true && /^\w+=/.test(value)) continue;
    else if (operands > 0) operands--;
    else return index;
  }
  return args.length;
}

/** How many words an option takes, itself included. */
function optionLength(wrapper: Wrapper, option: string): number | 'opaque' | 'describes' {
  if (option.startsWith('--')) {
    const [name = '', ...value] = option.slice(2).split('=');
    if (wrapper.long?.includes(name) === true) return value.length === 0 ? 2 : 1;
    return wrapper.flags?.includes(name) === true && value.length === 0 ? 1 : 'opaque';
  }
  if (wrapper.numbers === true && /^-\d+$/.test(option)) return 1;
  for (const [index, letter] of option.slice(1).split('').entries()) {
    if (wrapper.describes?.includes(letter) === true) return 'describes';
    if (wrapper.valued?.includes(letter) === true) return index === option.length - 2 ? 2 : 1;
    if (wrapper.letters?.includes(letter) !== true) return 'opaque';
  }
  return 1;
}

/** `xargs -I{} rm {}`: every word that contains the placeholder is unknown. */
function fill(words: readonly ShellWord[], own: readonly ShellWord[]): readonly ShellWord[] {
  const marks = own.flatMap(({ value }, index) => {
    if (value === '-I') return [own[index + 1]?.value ?? ''];
    if (value?.startsWith('-I') === true) return [value.slice(2)];
    return value?.startsWith('-i') === true || value?.startsWith('--replace') === true ? ['{}'] : [];
  });
  return marks.reduce(withGaps, words);
}

/** The commands of `find … -exec COMMAND ;`, in which `{}` is unknown. */
export function foundBy(args: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const commands: (readonly ShellWord[])[] = [];
  for (const [index, { value }] of args.entries()) {
    if (value === null || !/^-(?:exec|execdir|ok|okdir)$/.test(value)) continue;
    const rest = args.slice(index + 1);
    const end = rest.findIndex((word) => word.value === ';' || word.value === '+');
    commands.push(withGaps(end === -1 ? rest : rest.slice(0, end), '{}'));
  }
  return commands;
}

/** The words with something unknown in place of a mark. */
function withGaps(words: readonly ShellWord[], mark: string): readonly ShellWord[] {
  return words.map((word) => {
    if (mark === '' || word.value?.includes(mark) !== true) return word;
    const pieces = word.value.split(mark);
    return { value: null, pieces, gaps: pieces.slice(1).map(() => 'text' as const) };
  });
}
