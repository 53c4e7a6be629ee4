import type { Command } from 'commander';
import type { ExitCode } from '../../command-failure.js';
import type { Shell } from '../../terminal/shell.js';
import { addMessages } from './negotiate-messages.js';
import { addPolicies } from './negotiate-policy.js';
import { addSessionReading } from './negotiate-read.js';
import { addReplay } from './negotiate-replay.js';
import { addSessionControl } from './negotiate-session.js';

/** `proffer negotiate …`: take part in negotiations, and see their state. */
export function addNegotiate(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  const negotiate = program
    .command('negotiate')
    .description('Negotiate, decide, delegate, hand over or approve something together')
    // With all their arguments, the commands would leave no room for their descriptions.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText(
      'after',
      `
Name a session by its id, or by the beginning of its id. In dev mode, --as says
who you are.

A session has a mode: offers and counter-offers until everyone accepts one,
unless start says --mode. In the other modes, send sends every message:
  ${shell.name} negotiate modes   # the modes, their messages, and what each needs

Examples:
  ${shell.name} negotiate start "a contract" -p buyer -p seller --as buyer
  ${shell.name} negotiate propose SESSION p1 "Ten" --summary '10 a day' --as seller
  ${shell.name} negotiate counter SESSION p2 p1 "Eight" --as buyer
  ${shell.name} negotiate accept SESSION p2 --as seller
  ${shell.name} negotiate commit SESSION --action contract.agreed \\
      --scope procurement --reason "all agree" --as buyer
  ${shell.name} negotiate show SESSION`,
    );
  addSessionControl(negotiate, shell, done);
  addMessages(negotiate, shell, done);
  addSessionReading(negotiate, shell, done);
  addReplay(negotiate, shell, done);
  addPolicies(negotiate, shell, done);
}
