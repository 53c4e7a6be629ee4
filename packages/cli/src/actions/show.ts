import { connectToHolder } from '../connect.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { statusMessage } from '../connection/envelopes.js';
import { whereOptions } from '../connection/gateway-url.js';
import { showTimeline } from '../display/log/timeline.js';
import { nextSteps } from '../display/next-steps.js';
import { printPaused } from '../display/paused.js';
import { proposalJson } from '../display/proposal-json.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { findOffline } from '../proposals/find-offline.js';
import { type FoundProposal, findProposal } from '../proposals/find-proposal.js';
import { lookInto } from '../proposals/served.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';

/** Command-line options of `show`. */
export interface ShowFlags extends EndpointOptions {
  readonly data?: string;
  readonly exact?: boolean;
  /** Shows secrets, after recording who looks. */
  readonly reveal?: boolean;
  readonly json?: boolean;
}

/** Prints the whole life of a proposal, and what can be done about one that is pending. */
export async function show(id: string, options: ShowFlags, shell: Shell): Promise<ExitCode> {
  const { data, exact } = options;
  if (data !== undefined) {
    print(await findOffline(id, { ...options, data }, shell), options, shell);
    return EXIT.done;
  }
  const connection = await connectToHolder(id, options, shell);
  const found = await findProposal(connection, id, { exact });
  // Nothing is revealed before it is recorded who looks.
  if (options.reveal === true) await connection.send(statusMessage([found.proposal.id], 'revealed'));
  const shown =
    options.reveal === true ? await findProposal(connection, found.proposal.id, { exact: true }) : found;
  print(shown, options, shell);
  if (options.json === true) return EXIT.done;
  const at = whereOptions(connection.endpoint);
  const look = shown.proposal.phase === 'pending' ? await lookInto(connection.endpoint) : undefined;
  if (look?.paused !== undefined) shell.tell(...printPaused(look.paused, at, shell));
  const steps = nextSteps(shown.proposal, { name: shell.name, options: at });
  for (const step of steps) shell.tell(shell.style.dim(step));
  return EXIT.done;
}

function print({ proposal, history }: FoundProposal, { json, reveal }: ShowFlags, shell: Shell): void {
  if (json === true) printJson({ proposal: proposalJson(proposal), history }, shell);
  else
    shell.print(
      ...showTimeline(proposal, history, {
        style: shell.style,
        now: shell.now(),
        isRevealed: reveal === true,
      }),
    );
}
