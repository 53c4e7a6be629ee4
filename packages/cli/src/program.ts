import { Command, CommanderError } from 'commander';
import { CommandFailure, type Failure } from './command-failure.js';
import { type AddCommands, familiesFor } from './command-families.js';
import { EXIT, EXIT_CODES, type ExitCode } from './exit-code.js';
import type { Shell } from './terminal/shell.js';
import { visible } from './terminal/visible.js';
import { VERSION } from './version.js';

/**
 * Runs one command line and settles with its exit code. What went wrong is said on the standard error;
 * with `--json` (or `--output json`), also as `{ "error": { code, message, details } }` on the standard
 * output.
 *
 * @param line - the words after the program's name
 */
export async function run(line: readonly string[], shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const commands = await Promise.all(familiesFor(line).map(({ load }) => load()));
  const program = createProgram(commands, shell, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...line], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof CommandFailure)) throw error;
    tellFailure(error.failure, shell, wantsJson(line));
    return error.failure.exit;
  }
}

function createProgram(
  commands: readonly AddCommands[],
  shell: Shell,
  done: (code: ExitCode) => void,
): Command {
  const program = new Command('proffer')
    .description(
      'Agents propose. People, or agents you trust, decide. Everything that happened can be replayed.',
    )
    .version(VERSION, '-V, --version')
    .exitOverride()
    .showHelpAfterError(`(${shell.name} --help, or ${shell.name} COMMAND --help)`)
    .configureOutput({
      writeOut: (text) => shell.print(text.trimEnd()),
      writeErr: (text) => shell.tell(text.trimEnd()),
    });
  program.addHelpText(
    'after',
    `
Begin here:
  ${shell.name} up --dev                            a gateway to try things out
  ${shell.name} propose echo --arg text=hello       an agent asks for something
  ${shell.name} inbox --watch                       you decide

${EXIT_CODES}`,
  );
  for (const add of commands) add(program, shell, done);
  return program;
}

function tellFailure(
  { code, message, details = {}, next = [] }: Failure,
  shell: Shell,
  asJson: boolean,
): void {
  if (asJson) shell.print(JSON.stringify({ error: { code, message, details } }));
  const { style } = shell;
  const lines = message.split('\n').map(visible);
  shell.tell(
    `${style.red('✗')} ${lines.join('\n  ')}`,
    ...next.map((step) => `  ${style.cyan('→')} ${visible(step)}`),
  );
}

function wantsJson(line: readonly string[]): boolean {
  const proposes = line[0] === 'propose';
  return proposes ? /(?:^| )(?:-o|--output)[ =]json(?: |$)/.test(line.join(' ')) : line.includes('--json');
}
