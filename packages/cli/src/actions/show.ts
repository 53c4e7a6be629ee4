import type { JsonObject } from '@proffer/core';
import { connect } from '../connect.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { findProposal } from '../connection/find-proposal.js';
import { proposalJson } from '../display/proposal-json.js';
import { showTimeline } from '../display/timeline.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** Options of `show`, as they stand on the command line. */
export interface ShowOptions extends EndpointOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** Prints the whole life of a proposal. */
export async function show(id: string, options: ShowOptions, shell: Shell): Promise<ExitCode> {
  const shown =
    options.data === undefined
      ? await findProposal(connect(options, shell, 'reviewer'), id)
      : await findOffline(id, options, shell);
  if (options.json === true)
    shell.print(
      JSON.stringify({ ...shown, proposal: proposalJson(shown.proposal as unknown as JsonObject) }),
    );
  else shell.print(...showTimeline(shown.proposal, shown.history, { style: shell.style, now: shell.now() }));
  return EXIT.done;
}

/** Loaded only here: whoever asks a gateway needs no journal. */
async function findOffline(id: string, { data = '', space = 'main' }: ShowOptions, shell: Shell) {
  const { journalFolder } = await import('../journal/folder.js');
  const { readProposal } = await import('../journal/history.js');
  return await readProposal({ folder: await journalFolder({ data }, shell), space, name: shell.name }, id);
}
