import { defined } from '@proffer/core/json';
import type { AddCommands } from '../command-families.js';
import { type EndpointOptions, withGuards } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { sameOptions } from '../connection/endpoint.js';
import { printJson, type Shell } from '../terminal/shell.js';

/** `proffer pause` and `resume`: stop all approvals of a space at once, and resume them. */
export const addPause: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('pause')
      .description('Pause all approvals in a space; rejecting and withdrawing still work')
      .option('-r, --reason <reason>', 'why; everyone sees it')
      .option('--json', 'print JSON'),
  ).action(async (options: PauseOptions) => await pause(options, shell));
  withGuards(
    program.command('resume').description('Resume approvals in a space').option('--json', 'print JSON'),
  ).action(async (options: PauseOptions) => await resume(options, shell));
};

/** Command-line options of `pause` and `resume`. */
interface PauseOptions extends EndpointOptions {
  readonly reason?: string;
  readonly json?: boolean;
}

/** Refuses every approval in a space until someone resumes. */
async function pause({ reason, json, ...options }: PauseOptions, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const payload = defined({ reason });
  const sent = await connection.send({ kind: 'mcpx.pause.approvals', payload });
  const { space } = connection.endpoint;
  if (json === true) printJson({ ...sent, space }, shell);
  else {
    shell.print(`Paused all approvals in ${space}.`);
    shell.print(shell.style.dim(`  ${shell.name} resume${sameOptions(connection.endpoint)}   # to go on`));
  }
}

/** Ends the pause of a space. */
async function resume({ json, ...options }: PauseOptions, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const sent = await connection.send({ kind: 'mcpx.resume.approvals', payload: {} });
  const { space } = connection.endpoint;
  if (json === true) printJson({ ...sent, space }, shell);
  else shell.print(`Resumed approvals in ${space}.`);
}
