import type { AddCommands } from '../command-families.js';
import { type EndpointOptions, EXACT, withGuards } from '../command-options.js';
import { connectToHolder } from '../connection/connect.js';
import { whereOptions } from '../connection/endpoint.js';
import { statusMessage } from '../connection/envelopes.js';
import { showTimeline } from '../display/log/timeline.js';
import { proposalJson } from '../display/operation.js';
import { printPaused } from '../display/unserved-note.js';
import { type FoundProposal, findOffline, findProposal } from '../proposals/find-proposal.js';
import { looksLikeGuards, type ProposalView } from '../proposals/proposal-view.js';
import { lookInto } from '../proposals/served.js';
import { commandAbout, printJson, type Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** `proffer show`: the life of one proposal. */
export const addShow: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('show')
      .argument('<id>', 'the proposal, or the beginning of its id')
      .description('Show the history of a proposal')
      .option('--reveal', 'also show passwords, tokens and other secrets; this is recorded')
      .option('--exact', EXACT)
      .option('--data <folder>', "read a journal's folder instead of asking a gateway")
      .option('--json', 'print JSON'),
  ).action(async (id: string, options: ShowFlags) => await show(id, options, shell));
};

/** Command-line options of `show`. */
export interface ShowFlags extends EndpointOptions {
  readonly data?: string;
  readonly exact?: boolean;
  /** Shows secrets, after recording who looks. */
  readonly reveal?: boolean;
  readonly json?: boolean;
}

/** Prints the whole life of a proposal, and what can be done about one that is pending. */
async function show(id: string, options: ShowFlags, shell: Shell): Promise<void> {
  const { data, exact } = options;
  if (data !== undefined) {
    print(await findOffline(id, { ...options, data }, shell), options, shell);
    return;
  }
  const connection = await connectToHolder(id, options, shell);
  const found = await findProposal(connection, id, { exact });
  // Nothing is revealed before it is recorded who looks.
  if (options.reveal === true) await connection.send(statusMessage([found.proposal.id], 'revealed'));
  const shown =
    options.reveal === true ? await findProposal(connection, found.proposal.id, { exact: true }) : found;
  print(shown, options, shell);
  if (options.json === true) return;
  const at = whereOptions(connection.endpoint);
  const look = shown.proposal.phase === 'pending' ? await lookInto(connection.endpoint) : undefined;
  if (look?.paused !== undefined) shell.tell(...printPaused(look.paused, at, shell));
  const steps = nextSteps(shown.proposal, { name: shell.name, options: at });
  for (const step of steps) shell.tell(shell.style.dim(step));
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

/** How to write commands for pasting. */
interface Pasted {
  /** The name of the program. */
  readonly name: string;
  /** The options that lead to the same place; starts with a space unless it is empty. */
  readonly options: string;
}

/** What can be done about a pending proposal, one line each; empty for one that is decided. */
function nextSteps(
  { id, phase, proposer, rejections, counters = [] }: ProposalView,
  { name, options }: Pasted,
): readonly string[] {
  if (phase !== 'pending') return [];
  const command = (word: string, more = '') =>
    visible(commandAbout(`${name} ${word}`, [id], { options, more }));
  const against = Object.keys(rejections).map(visible).join(', ');
  const who = visible(proposer);
  const approve = `  to approve:   ${command('approve')}`;
  const reject = `  to reject:    ${command('reject', '--reason …')}`;
  // A guard withdraws and accepts on its own when its caller asks.
  if (looksLikeGuards(id)) return [approve, reject];
  const isOffered = counters.some(({ by, state }) => by !== proposer && state === 'live');
  const accept = isOffered ? [`  to accept the offer:  ${command('accept')}   # as ${who}`] : [];
  if (against === '') return [approve, reject, ...accept];
  return [
    `  ${against} rejected this call. It stays pending unless ${who} withdraws it; others may still approve it.`,
    approve,
    `  to withdraw:  ${command('withdraw')}   # as ${who}`,
    ...accept,
  ];
}
