import { defined } from '@proffer/core/json';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { createHint } from '../hint.js';
import { negotiate, READER } from '../negotiator.js';
import type { NegotiatorOptions } from '../negotiator-options.js';
import { readSession } from '../read-session.js';
import { encodeSession, showSession } from '../session-view.js';

/** Command-line options of `negotiate show`. */
export interface NegotiateShowFlags extends NegotiatorOptions {
  readonly committer?: string;
}

/** Prints the state of a session, and whether it can be committed. */
export async function show(text: string, options: NegotiateShowFlags, shell: Shell): Promise<ExitCode> {
  await negotiate(options, { shell, role: READER }, async ({ client, find, endpoint }) => {
    const now = shell.now();
    const { committer } = options;
    const view = await readSession(client, await find(text), { now, ...defined({ committer }) });
    if (options.json === true) printJson(encodeSession(view), shell);
    else shell.print(...showSession(view, { hint: createHint(endpoint, shell), now }));
  });
  return EXIT.done;
}
