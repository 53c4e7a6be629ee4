import { resolve } from 'node:path';
import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
} from 'unbash';
import { EVALUATING, MOVING, OPAQUE, SETTING, SHELLS } from './known-programs.js';
import { known, type ShellCommand, type ShellWord, type ShellWorld } from './shell-line.js';
import { scriptOf } from './shell-script.js';
import { wordValue } from './word-value.js';
import { foundBy, wrappedBy } from './wrapped.js';

/** How many folders a command may be in before its folder counts as unknown. */
const MAX_FOLDERS = 16;

/** Constructs that may run a command again after later ones. */
const LOOPS: ReadonlySet<string> = new Set(['For', 'While', 'Select', 'ArithmeticFor', 'Function']);

/** Output targets that are not files. */
const NOWHERE = /^(?:\/dev\/(?:null|stdout|stderr|tty)|-|\d+-?)$/;

/** Collects the commands of a line while walking its tree, in the order they are written. */
export class LineReader {
  readonly #commands: ShellCommand[] = [];
  readonly unknown: string[] = [];
  readonly #readText: (text: string, depth: number) => void;
  readonly #variables: Map<string, string>;
  #depth = 0;
  /** Whether a variable that programs read was set. */
  #isAltered = false;
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
    this.#variables = new Map([
      ['HOME', home],
      ['PWD', folder],
    ]);
  }

  /** The state so far. In a loop, the state at its end also applies to its start. */
  get commands(): readonly ShellCommand[] {
    if (!this.#hasLoop) return this.#commands;
    return this.#commands.map((command) => ({
      ...command,
      isAltered: command.isAltered || this.#isAltered,
      folders: this.#hasMoved ? undefined : command.folders,
    }));
  }

  /** Notes that the line cannot be fully analysed. */
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
    if (node.type === 'Script' && 'errors' in node && (node.errors ?? []).length > 0)
      this.doubt('it cannot be parsed as a shell command');
    if (node.type === 'CommandExpansion' && node.script === undefined)
      this.doubt('it has a substitution that cannot be parsed');
    if (
      node.type === 'TestCommand' ||
      node.type === 'ArithmeticCommand' ||
      node.type === 'ArithmeticExpansion'
    )
      this.#checkEvaluated(node);
    if (LOOPS.has(node.type)) this.#hasLoop = true;
    // Substitutions in a command run before the command itself.
    forEachChild(node, (child) => this.#visit(child));
    if (node.type === 'Command') this.#command(node);
    if (node.type === 'Redirected') this.#redirects(node.redirects);
    if (node.type === 'For' || node.type === 'Select') this.#set(node.name.value);
    if (node.type === 'Function') this.doubt('it defines a function');
  }

  /** Subscripts are evaluated twice, even in quotes. */
  #checkEvaluated(node: SyntaxNode): void {
    const check = (child: SyntaxNode): void => {
      const text = child.type === 'Word' || child.type === 'ArithmeticWord' ? child.value : '';
      if (text.includes('[') && /[`$]/.test(text)) this.doubt('it evaluates text as a command');
      forEachChild(child, check);
    };
    forEachChild(node, check);
  }

  #command({ name, prefix, args, redirects }: Command): void {
    const assignments = prefix.filter((item): item is Assignment => item.type === 'Assignment');
    const inputs = this.#redirects(redirects);
    if (name === undefined) {
      for (const { name: variable } of assignments) this.#set(variable);
      return;
    }
    const words = [name, ...args].map((word) => wordValue(word, this.#variables));
    this.#run(words, { isAltered: assignments.length > 0, inputs, redirects });
  }

  /** Records a command, and what it runs in turn. */
  #run(
    words: readonly ShellWord[],
    {
      isAltered,
      isElsewhere = false,
      inputs = [],
      redirects = [],
    }: {
      readonly isAltered: boolean;
      readonly isElsewhere?: boolean;
      readonly inputs?: readonly ShellWord[];
      readonly redirects?: readonly Redirection[];
    },
  ): void {
    const altered = isAltered || this.#isAltered;
    const folders = isElsewhere ? undefined : this.#folders;
    this.#commands.push({ words, isAltered: altered, folders, inputs });
    const [first, ...args] = words;
    const program = first?.value?.split('/').at(-1)?.toLowerCase();
    if (program === undefined || program === '') {
      this.doubt('which program it runs is only known at run time');
      return;
    }
    if (MOVING.has(program)) this.#move(program, args);
    if (SETTING.has(program)) for (const { beginning } of args) this.#set(beginning.split(/[=+[]/)[0] ?? '');
    if (OPAQUE.has(program)) this.doubt(`${program} may change what runs after it, or run something else`);
    if (EVALUATING.has(program) && args.some(({ beginning }) => /[`$]\(?|\[.*\$/.test(beginning)))
      this.doubt(`${program} evaluates text as a command`);
    // With -execdir it is somewhere below.
    if (program === 'find')
      for (const inner of foundBy(args)) this.#run(inner, { isAltered, isElsewhere: true });
    const wrapped = wrappedBy(program, args);
    if (wrapped !== undefined && 'unknown' in wrapped) this.doubt(wrapped.unknown);
    else if (wrapped !== undefined)
      this.#run(wrapped.words, {
        isAltered: isAltered || wrapped.isAltered,
        isElsewhere: isElsewhere || wrapped.isElsewhere,
        redirects,
      });
    this.#texts(program, args, redirects);
  }

  /** Texts that a command runs as lines. */
  #texts(program: string, args: readonly ShellWord[], redirects: readonly Redirection[]): void {
    if (SHELLS.has(program)) {
      const script = scriptOf(args, redirects, this.#variables);
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

  /** Records files that are written to as separate commands; returns those that are read from. */
  #redirects(redirects: readonly Redirection[]): readonly ShellWord[] {
    const inputs: ShellWord[] = [];
    for (const redirect of redirects) {
      if (redirect.type !== 'Redirect' || redirect.target === undefined) continue;
      const target = wordValue(redirect.target, this.#variables);
      if (redirect.operator === '<' || redirect.operator === '<&') inputs.push(target);
      else if (target.value === null || !NOWHERE.test(target.value))
        this.#commands.push({
          words: [known('>'), target],
          isAltered: false,
          folders: this.#folders,
          inputs: [],
        });
    }
    return inputs;
  }

  #move(program: string, args: readonly ShellWord[]): void {
    this.#variables.delete('PWD');
    this.#hasMoved = true;
    const [target = known(this.#home), ...others] = args;
    const { value } = target;
    if (program !== 'cd' || others.length > 0 || value === null || /^[-+]|^$/.test(value))
      this.#folders = undefined;
    const moved = this.#folders?.map((folder) => resolve(folder, value ?? '')) ?? [];
    const all = new Set([...(this.#folders ?? []), ...moved]);
    this.#folders = this.#folders === undefined || all.size > MAX_FOLDERS ? undefined : [...all];
  }

  /** Programs read variables in capitals; others are the shell's own. */
  #set(name: string): void {
    this.#variables.delete(name);
    if (!/^[a-z_][a-z0-9_]*$/.test(name)) this.#isAltered = true;
  }
}
