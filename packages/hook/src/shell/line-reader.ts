import { resolve } from 'node:path';
import {
  type Assignment,
  type Command,
  type CommandArgument,
  forEachChild,
  type ParsedScript,
  type Redirect,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { BUILTINS, MOVING, OPAQUE, SETTING, SHELLS } from './known-programs.js';
import {
  ANY_NAME,
  ANYTHING,
  beginningOf,
  joined,
  known,
  type ShellCommand,
  type ShellVariable,
  type ShellWord,
  type ShellWorld,
} from './shell-line.js';
import { foundBy, wrappedBy } from './wrapped.js';

/** How many folders a command may be in before its folder counts as unknown. */
const MAX_FOLDERS = 16;

/** Constructs that may run a command again after later ones. */
const LOOPS: ReadonlySet<string> = new Set(['For', 'While', 'Select', 'ArithmeticFor', 'Function']);

/** Redirection targets that are not files. */
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty)$/;

/**
 * Collects the commands of a line while walking its tree, in the order they are written. In a line that
 * is not understood there may be others; those that it finds can still be denied.
 */
export class LineReader {
  readonly #commands: ShellCommand[] = [];
  readonly unknown: string[] = [];
  readonly #readText: (text: string, depth: number) => void;
  readonly #values: Map<string, string>;
  #depth = 0;
  /** What was set for all later commands. */
  readonly #variables: ShellVariable[] = [];
  readonly #home: string;
  /** A `cd` may fail, or be undone with a subshell: the previous folder counts as well. */
  #folders: readonly string[] | undefined;
  #hasMoved = false;
  #hasLoop = false;

  /** @param readText - parses a text that is run as a separate line */
  constructor({ home, folder }: ShellWorld, readText: (text: string, depth: number) => void) {
    this.#readText = readText;
    this.#home = home;
    this.#folders = [folder];
    this.#values = new Map([
      ['HOME', home],
      ['PWD', folder],
    ]);
  }

  /** The commands so far. In a loop, the folder at its end also applies to its start. */
  get commands(): readonly ShellCommand[] {
    if (!this.#hasLoop || !this.#hasMoved) return this.#commands;
    return this.#commands.map((command) => ({ ...command, folders: undefined }));
  }

  /** Notes that the line is not understood. */
  doubt(why: string): void {
    this.unknown.push(why);
  }

  read(script: ParsedScript, depth: number): void {
    const before = this.#depth;
    this.#depth = depth;
    this.#visit(script);
    this.#depth = before;
  }

  #visit(node: SyntaxNode): void {
    if (LOOPS.has(node.type)) this.#hasLoop = true;
    // Substitutions in a command run before the command itself.
    forEachChild(node, (child) => this.#visit(child));
    if (node.type === 'Command') this.#command(node);
    if (node.type === 'Redirected') this.#redirects(node.redirects);
    if (node.type === 'For' || node.type === 'Select') this.#set({ name: node.name.value, value: null });
  }

  #command({ name, prefix, args, redirects }: Command): void {
    const assignments = prefix.filter((item): item is Assignment => item.type === 'Assignment');
    const variables = assignments.map((assignment) => this.#variable(assignment));
    this.#redirects(redirects);
    if (name !== undefined) {
      const words = [name, ...args].map((word) => wordValue(word, this.#values));
      this.#run(words, { variables, redirects });
    } else if (variables.length > 0) {
      this.#add([], variables);
      for (const variable of variables) this.#set(variable);
    }
  }

  #variable({ name, value }: Assignment): ShellVariable {
    return { name, value: value.type === 'Word' ? wordValue(value, this.#values).value : null };
  }

  #add(words: readonly ShellWord[], variables: readonly ShellVariable[] = [], isElsewhere = false): void {
    const folders = isElsewhere ? undefined : this.#folders;
    this.#commands.push({ words, variables: [...this.#variables, ...variables], folders });
  }

  /** Records a command, and what it runs in turn. */
  #run(
    words: readonly ShellWord[],
    {
      variables,
      isElsewhere = false,
      redirects = [],
    }: {
      readonly variables: readonly ShellVariable[];
      readonly isElsewhere?: boolean;
      readonly redirects?: readonly Redirection[];
    },
  ): void {
    this.#add(words, variables, isElsewhere);
    const [first, ...args] = words;
    const path = first?.value ?? '';
    const program = path.split('/').at(-1)?.toLowerCase();
    if (program === undefined || program === '') {
      this.doubt('which program it runs is only known at run time');
      return;
    }
    if (MOVING.has(path)) this.#move(path, args);
    if (SETTING.has(path))
      for (const word of args) this.#set({ name: beginningOf(word).split(/[=+[]/)[0] ?? '', value: null });
    if (BUILTINS.has(path)) this.doubt(`${path} changes the shell itself, or runs its arguments as commands`);
    if (OPAQUE.has(program)) this.doubt(`what ${program} runs is only known at run time`);
    // With -execdir it is somewhere below.
    if (program === 'find')
      for (const inner of foundBy(args)) this.#run(inner, { variables, isElsewhere: true });
    const wrapped = wrappedBy(program, args);
    if (wrapped !== undefined && 'unknown' in wrapped) this.doubt(wrapped.unknown);
    else if (wrapped !== undefined)
      this.#run(wrapped.words, {
        variables: [...variables, ...wrapped.variables],
        isElsewhere: isElsewhere || wrapped.isElsewhere,
        redirects,
      });
    this.#texts(program, args, redirects);
  }

  /** Texts that a command runs as lines. */
  #texts(program: string, args: readonly ShellWord[], redirects: readonly Redirection[]): void {
    if (SHELLS.has(program)) {
      const script = scriptOf(args, redirects, this.#values);
      if (script === 'unknown') this.doubt(`what ${program} runs here is only known at run time`);
      else if (script !== 'file') this.#readText(script.text, this.#depth + 1);
    }
    if (program === 'eval' || program === 'watch') this.#joined(program, args);
    if (program === 'trap') this.#joined(program, args.slice(0, 1));
    if (program === 'su' && args.length > 0) {
      const at = args.findIndex(({ value }) => value === null || /^-\w*c$|^--command/.test(value));
      if (at !== -1) this.#joined(program, args.slice(at + 1, at + 2));
    }
  }

  #joined(program: string, args: readonly ShellWord[]): void {
    const values = args.map(({ value }) => value);
    const own = program === 'watch' ? values.findIndex((value) => value?.startsWith('-') !== true) : 0;
    const words = values.slice(Math.max(own, 0));
    if (words.length === 0 || words.includes(null) || (program === 'watch' && own > 0))
      this.doubt(`what ${program} runs here is only known at run time`);
    else this.#readText(words.join(' '), this.#depth + 1);
  }

  /** Records files that are read or written as separate commands. */
  #redirects(redirects: readonly Redirection[]): void {
    for (const redirect of redirects) {
      if (redirect.type !== 'Redirect' || redirect.target === undefined) continue;
      const target = wordValue(redirect.target, this.#values);
      if (isCopy(redirect, target) || NO_FILE.test(target.value ?? '')) continue;
      for (const direction of ['<', '>'])
        if (redirect.operator.includes(direction)) this.#add([known(direction), target]);
    }
  }

  #move(program: string, args: readonly ShellWord[]): void {
    this.#values.delete('PWD');
    this.#hasMoved = true;
    const [target = known(this.#home), ...others] = args;
    const { value } = target;
    if (!/^(?:cd|chdir)$/.test(program) || others.length > 0 || value === null || /^[-+]|^$/.test(value))
      this.#folders = undefined;
    const moved = this.#folders?.map((folder) => resolve(folder, value ?? '')) ?? [];
    const all = new Set([...(this.#folders ?? []), ...moved]);
    this.#folders = this.#folders === undefined || all.size > MAX_FOLDERS ? undefined : [...all];
  }

  #set(variable: ShellVariable): void {
    this.#values.delete(variable.name);
    this.#variables.push(variable);
  }
}

/** `2>&1` and `>&-` open nothing; `> 1` and `> -` do. */
function isCopy({ operator }: Redirect, { value }: ShellWord): boolean {
  return operator.endsWith('&') && /^(?:\d+-?|-)$/.test(value ?? '');
}

/** The text that a shell runs: a known one, `file` for one in a file, or `unknown`. */
type Script = { readonly text: string } | 'file' | 'unknown';

/**
 * What `sh …` runs: the text after `-c`, a file, or a here-document. A pipe, a terminal or a variable
 * may bring anything.
 */
function scriptOf(
  args: readonly ShellWord[],
  redirects: readonly Redirection[],
  variables: Variables,
): Script {
  let isText = false;
  for (let index = 0; index < args.length; index++) {
    const { value } = args[index] as ShellWord;
    if (value === null || value === '-') return 'unknown';
    if (isText && !/^[-+]/.test(value)) return { text: value };
    if (!/^[-+]/.test(value)) return 'file';
    if (/^[-+]o$/.test(value)) index++;
    else if (!/^--(?:login|noprofile|norc|posix)?$|^-[cefluvx]+$/.test(value)) return 'unknown';
    else isText ||= /^-[a-z]*c/.test(value);
  }
  return isText ? 'unknown' : inputOf(redirects, variables);
}

function inputOf(redirects: readonly Redirection[], variables: Variables): Script {
  const [only, ...others] = redirects.filter(({ type }) => type !== 'Redirect');
  if (only === undefined || others.length > 0) return 'unknown';
  if (redirects.some((one) => one.type === 'Redirect' && one.operator.startsWith('<'))) return 'unknown';
  if (only.type === 'HereDoc') {
    const isFixed =
      only.delimiter?.quoted === true || (only.body.parts ?? []).every(({ type }) => type === 'Literal');
    // Without quotes, a backslash escapes a line break or a dollar sign.
    return isFixed && (only.delimiter?.quoted === true || !only.body.text.includes('\\'))
      ? { text: only.body.text }
      : 'unknown';
  }
  const value = only.type === 'HereString' && only.target ? wordValue(only.target, variables).value : null;
  return value === null ? 'unknown' : { text: value };
}

/** The variables with known values. */
type Variables = ReadonlyMap<string, string>;

/** The value of a word in a line, as far as it is known. */
function wordValue(word: CommandArgument, variables: Variables): ShellWord {
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
