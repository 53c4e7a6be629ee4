import { connect } from '../connect.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { proposalJson } from '../display/proposal-json.js';
import { showTimeline } from '../display/timeline.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findOffline } from '../proposals/find-offline.js';
import { findProposal } from '../proposals/find-proposal.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';

/** Options of `show`, as they stand on the command line. */
export interface ShowOptions extends EndpointOptions {
  readonly data?: string;
  readonly exact?: boolean;
  readonly json?: boolean;
}

/** Prints the whole life of a proposal. */
export async function show(id: string, options: ShowOptions, shell: Shell): Promise<ExitCode> {
  const shown =
    options.data === undefined
      ? await findProposal(connect(options, shell, 'reviewer'), id, { exact: options.exact })
      : await findOffline(id, { ...options, data: options.data }, shell);
  if (options.json === true) printJson({ ...shown, proposal: proposalJson(shown.proposal) }, shell);
  else shell.print(...showTimeline(shown.proposal, shown.history, { style: shell.style, now: shell.now() }));
  return EXIT.done;
}
