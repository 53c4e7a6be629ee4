import { type Command, type CommanderError, Option } from 'commander';
import { EXIT, type Failure } from './command-failure.js';

/**
 * The line to parse. `help COMMAND…` and `COMMAND… --help` are the same; of an unknown command only the name is kept,
 * so that the error is shown instead of the general help.
 */
export function readHelp(line: readonly string[], program: Command): readonly string[] {
  const [first, ...rest] = line;
  const asksForHelp = first === 'help' || line.includes('--help') || line.includes('-h');
  if (!asksForHelp) return line;
  const words = first === 'help' ? rest : line;
  const { path, unknown } = findCommand(words, program);
  if (unknown !== undefined) return [...path, unknown];
  return first === 'help' ? [...path, '--help'] : line;
}

/** Ids that others choose, such as those of passkeys, may look like options. */
const DASHED = 'An id that begins with a dash goes after "--".';

/** A usage error, reported like every failure: with the help of its command. */
export function usageFailureOf(
  { message }: CommanderError,
  line: readonly string[],
  { program, name }: { readonly program: Command; readonly name: string },
): Failure {
  const { path } = findCommand(line, program);
  // The value of a mistyped option may be a secret.
  const said = message.replace(/^error: /, '').replace(/^(unknown option '[^=']*)=.*'/s, "$1'");
  const [what = '', hint] = said.split('\n');
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const ended = /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
  const suggestion = hint ?? (/^unknown option '-\w/.test(what) ? DASHED : undefined);
  const meant = suggestion === undefined ? '' : ` ${suggestion.replace(/^\(|\)$/g, '')}`;
  return {
    exit: EXIT.usage,
    code: 'usage',
    message: `${ended}${meant}`,
    next: [
      `${[name, ...path].join(' ')} --help   # ${path.length === 0 ? 'lists the commands' : 'shows how to use it'}`,
    ],
  };
}

/** The command that the words start with, and the first word that should be a command but is not. */
function findCommand(
  words: readonly string[],
  program: Command,
): { readonly path: readonly string[]; readonly unknown?: string } {
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    if (word.startsWith('-')) continue;
    // What follows a command without subcommands is an argument.
    if (command.commands.length === 0) break;
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) return { path, unknown: word };
    path.push(next.name());
    command = next;
  }
  return { path };
}

/** Synonymous options; each command documents one of them and accepts both. */
const SAME = [
  ['data', 'journal'],
  ['journal', 'data'],
] as const;

/**
 * Makes a command and its subcommands accept synonyms: `--journal` for `--data` and the other way round, and `--output
 * json` for `--json`. They are not shown in its help.
 */
export function addSynonyms(command: Command): void {
  for (const one of command.commands) addSynonyms(one);
  const has = (name: string): Option | undefined =>
    command.options.find((option) => option.attributeName() === name);
  for (const [name, other] of SAME) {
    const option = has(name);
    if (option === undefined || option.hidden || has(other) !== undefined) continue;
    command.addOption(new Option(`--${other} <folder>`, `the same as --${name}`).hideHelp());
    const refuseBoth = (): void => {
      if (command.getOptionValueSource(name) === 'cli' && command.getOptionValueSource(other) === 'cli')
        command.error(`--${name} and --${other} are the same; use only one of them.`);
    };
    command.on(`option:${name}`, refuseBoth);
    command.on(`option:${other}`, (folder: string) => {
      refuseBoth();
      command.setOptionValue(name, folder);
    });
  }
  if (has('json')?.isBoolean() === true && has('output') === undefined) {
    const output = new Option('-o, --output <format>', 'json is the same as --json').choices([
      'text',
      'json',
    ]);
    command.addOption(output.hideHelp());
    command.on('option:output', (format: string) => {
      if (format === 'json') command.setOptionValue('json', true);
    });
  }
}
