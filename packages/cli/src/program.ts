import { Command, CommanderError } from 'commander';
import { CommandFailure, EXIT, type ExitCode } from './command-failure.js';
import { type AddCommands, familiesFor } from './command-families.js';
import { fileFailure } from './file-failure.js';
import { addHelp, asksForShortHelp } from './help.js';
import { VERSION } from './own-package.js';
import { printFailure } from './terminal/print-failure.js';
import type { Shell } from './terminal/shell.js';
import { addSynonyms, readHelp, usageFailureOf } from './usage.js';

/** The maximum width of help, in columns. */
const HELP_WIDTH = 80;

/**
 * Runs one command line and resolves with its exit code. Errors go to stderr; with `--json` (or `--output
 * json`), also as `{ "error": { code, message, details } }` on stdout.
 *
 * @param line - the words after the program's name
 */
export async function run(line: readonly string[], shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const commands = await Promise.all(familiesFor(line).map(({ load }) => load()));
  const program = createProgram(line, commands, shell, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...readHelp(line, program)], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      // With these, help was requested and shown, or shown because there was nothing else to do.
      if (error.exitCode === 0) return EXIT.done;
      if (error.code === 'commander.help') return EXIT.usage;
      printFailure(usageFailureOf(error, line, { program, name: shell.name }), shell, wantsJson(line));
      return EXIT.usage;
    }
    const failure = error instanceof CommandFailure ? error.failure : fileFailure(error);
    if (failure === undefined) throw error;
    printFailure(failure, shell, wantsJson(line));
    return failure.exit;
  }
}

function createProgram(
  line: readonly string[],
  commands: readonly AddCommands[],
  shell: Shell,
  done: (code: ExitCode) => void,
): Command {
  const program = new Command('proffer')
    // Makes everything after a server's command the server's, also without `--`.
    .enablePositionalOptions()
    .description(
      'Agents propose. People, or agents you trust, decide. Everything that happened can be replayed.',
    )
    .version(VERSION, '-V, --version')
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => Math.min(shell.width, HELP_WIDTH),
      getErrHelpWidth: () => Math.min(shell.width, HELP_WIDTH),
      // Reported like every other failure, when it is caught.
      outputError: () => undefined,
      writeOut: (text) => shell.print(text.trimEnd()),
      writeErr: (text) => shell.tell(text.trimEnd()),
    });
  for (const add of commands) add(program, shell, done);
  addHelp(program, { all: !asksForShortHelp(line), shell });
  addSynonyms(program);
  return program;
}

function wantsJson(line: readonly string[]): boolean {
  if (/(?:^| )(?:-o ?|--output[ =])json(?: |$)/.test(line.join(' '))) return true;
  // There, an object may follow.
  const [command] = line;
  const at = line.indexOf('--json');
  return at !== -1 && (command !== 'propose' || (line[at + 1] ?? '-').startsWith('-'));
}
