import { usageFailure } from '../command-failure.js';
import { connect } from '../connect.js';
import { takeBackMessage } from '../connection/envelopes.js';
import { wholeId } from '../display/short-ids.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findProposal } from '../proposals/find-proposal.js';
import { tooLate } from '../proposals/too-late.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import type { ApproveFlags } from './decide.js';

/** Takes your approval of a proposal back (O-29). */
export async function takeBack(
  [text = '', ...others]: readonly string[],
  options: ApproveFlags,
  shell: Shell,
): Promise<ExitCode> {
  if (others.length > 0) throw usageFailure('Take approvals back one by one.');
  const connection = connect(options, shell, 'reviewer');
  const { id } = (await findProposal(connection, text, { pending: true, exact: options.exact })).proposal;
  const sent = await connection.send(takeBackMessage(id));
  if (sent.status === 'late') throw await tooLate(id, connection);
  if (options.json === true) printJson({ ...sent, proposal: id }, shell);
  else shell.print(`Your approval of ${visible(wholeId(id))} is taken back. This call stays pending.`);
  return EXIT.done;
}
