import { defined } from '@proffer/core/json';
import { connect } from '../connect.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { sameOptions } from '../connection/gateway-url.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';

/** Command-line options of `pause` and `resume`. */
export interface PauseOptions extends EndpointOptions {
  readonly reason?: string;
  readonly json?: boolean;
}

/** Refuses every approval in a space until someone resumes. */
export async function pause({ reason, json, ...options }: PauseOptions, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  const payload = defined({ reason });
  const sent = await connection.send({ kind: 'mcpx.pause.approvals', payload });
  const { space } = connection.endpoint;
  if (json === true) printJson({ ...sent, space }, shell);
  else {
    shell.print(`Paused all approvals in ${space}.`);
    shell.print(shell.style.dim(`  ${shell.name} resume${sameOptions(connection.endpoint)}   # to go on`));
  }
  return EXIT.done;
}

/** Ends the pause of a space. */
export async function resume({ json, ...options }: PauseOptions, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  const sent = await connection.send({ kind: 'mcpx.resume.approvals', payload: {} });
  const { space } = connection.endpoint;
  if (json === true) printJson({ ...sent, space }, shell);
  else shell.print(`Resumed approvals in ${space}.`);
  return EXIT.done;
}
