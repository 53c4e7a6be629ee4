import { isParticipantName } from '@proffer/core/name';
import { createToken } from '@proffer/gateway/token';
import { usageFailure } from '../command-failure.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** Prints a new token, and the configuration entry for it. */
export function makeToken(name: string, asJson: boolean, shell: Shell): void {
  if (!isParticipantName(name))
    throw usageFailure(`${JSON.stringify(name)} is not a valid participant name.`);
  const { token, hash } = createToken();
  if (asJson) {
    printJson({ name, token, hash }, shell);
    return;
  }
  const { style } = shell;
  const key = /^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name);
  shell.print(
    `Token for ${visible(name)}, shown only once:`,
    '',
    `  ${style.bold(token)}`,
    '',
    'Add its hash to the configuration:',
    '',
    'participants:',
    `  ${key}:`,
    '    tokens:',
    `      - ${hash}`,
    '    spaces:',
    '      main: [mcp.proposal.*, mcpx.withdraw.proposal, chat.message]   # what it may do there',
    '',
    style.dim('Send SIGHUP to a running gateway to load it.'),
  );
}
