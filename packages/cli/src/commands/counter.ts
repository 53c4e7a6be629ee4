import { defined, diffJson, sameJson } from '@proffer/core/json';
import { describeProgress } from '@proffer/core/words';
import { applyAssignments } from '../arguments.js';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import {
  collect,
  durationOption,
  type EndpointOptions,
  EXACT,
  withEndpoint,
  withGuards,
} from '../command-options.js';
import { connect, connectToHolder } from '../connection/connect.js';
import { sameOptions } from '../connection/endpoint.js';
import { acceptanceMessage, counterMessage } from '../connection/envelopes.js';
import { showChanges, showCounters } from '../display/changes.js';
import { printOutcome } from '../display/outcome.js';
import { wholeId } from '../display/short-ids.js';
import { progressAfter } from '../proposals/approval.js';
import { awaitResult } from '../proposals/await-outcome.js';
import { checkNames } from '../proposals/check-names.js';
import { findProposal } from '../proposals/find-proposal.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { explainLate } from '../proposals/too-late.js';
import { confirm } from '../terminal/confirm.js';
import { printJson, type Shell, shellWord } from '../terminal/shell.js';
import { visible, voiceAt } from '../terminal/visible.js';

/** `proffer counter` and `accept`: offer what you would approve instead, and accept such an offer. */
export const addCounter: AddCommands = (program, shell, done) => {
  withGuards(
    program
      .command('counter')
      .argument('<id>', 'the proposal, or the beginning of its id')
      .description('Make a counter-offer with other arguments')
      .requiredOption('-r, --reason <reason>', 'why')
      .option('--set <path=value>', 'change an argument, such as path=/tmp/x; may be repeated', collect)
      .option('--add <path=value>', 'add an argument that the call does not have; may be repeated', collect)
      .option('--answers <counter>', 'the counter-offer that this one answers')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (text: string, options: CounterFlags) => await counter(text, options, shell));

  withEndpoint(
    program
      .command('accept')
      .argument('<id>', 'your own proposal, or the beginning of its id')
      .description('Accept a counter-offer to your own proposal, and run exactly that')
      .option('--counter <id>', 'which counter-offer, if there are several')
      .option('-y, --yes', 'do not ask for confirmation on a terminal')
      .option('--exact', EXACT)
      .option('--no-wait', 'do not wait for the result')
      .option('--timeout <duration>', 'give up waiting after this time', durationOption)
      .option('--json', 'print JSON'),
  ).action(async (text: string, options: AcceptOptions) => done(await accept(text, options, shell)));
};

/** Command-line options of `counter`. */
export interface CounterFlags extends EndpointOptions {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly reason: string;
  readonly answers?: string;
  readonly exact?: boolean;
  readonly json?: boolean;
}

/** Offers other arguments in place of those that were proposed (O-40). */
async function counter(text: string, options: CounterFlags, shell: Shell): Promise<void> {
  const { set = [], add = [], reason, answers, exact } = options;
  if (set.length + add.length === 0)
    throw usageFailure('Give a change that you would approve, such as --set path=/tmp/x');
  const connection = await connectToHolder(text, options, shell);
  const { proposal } = await findProposal(connection, text, { pending: true, exact });
  await checkNames(proposal, set, { connection });
  const params = applyAssignments(proposal.method, proposal.params, [...set, ...add]) ?? {};
  if (sameJson(params, proposal.params ?? {}))
    throw usageFailure('Nothing would change: these are the arguments that were proposed.', [
      `${shell.name} approve ${shellWord(proposal.id)}${sameOptions(connection.endpoint)}   # to run it as it is`,
    ]);
  const message = counterMessage(answers ?? proposal.id, params, reason);
  const sent = await connection.send(message).catch(async (error: unknown) => {
    throw await explainLate(error, proposal.id, connection);
  });
  if (options.json === true) {
    printJson({ ...sent, proposal: proposal.id }, shell);
    return;
  }
  const { style } = shell;
  shell.print(
    `Made ${visible(proposal.proposer)} a counter-offer for ${visible(wholeId(proposal.id))}:`,
    ...showChanges(diffJson(proposal.params, params), style, { indent: '  ' }),
    style.dim(`  The call runs once ${visible(proposal.proposer)} accepts this.`),
  );
}

/** Command-line options of `accept`. */
export interface AcceptOptions extends EndpointOptions {
  readonly counter?: string;
  readonly yes?: boolean;
  readonly exact?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** Accepts a counter-offer to one of your proposals, and waits for the result unless told not to. */
async function accept(text: string, options: AcceptOptions, shell: Shell): Promise<ExitCode> {
  const signal = shell.interruption();
  const connection = connect(options, shell, 'agent', { signal });
  const { proposal } = await findProposal(connection, text, { pending: true, exact: options.exact });
  const { id } = proposal;
  const offer = chooseOffer(proposal, options.counter);
  const asJson = options.json === true;
  if (!asJson) shell.tell(...showCounters({ ...proposal, counters: [offer] }, shell.style));
  const isTerminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  const mustAsk = isTerminal && options.yes !== true && !asJson;
  if (mustAsk && !(await confirm('Accept it?', shell, signal))) {
    shell.tell('Nothing was accepted.');
    return EXIT.refused;
  }
  const sent = await connection
    .send(acceptanceMessage(offer.id, offer.digest))
    .catch(async (error: unknown) => {
      throw await explainLate(error, id, connection);
    });
  if (!asJson) shell.tell(`Accepted the counter-offer by ${visible(offer.by)}.`);
  const progress = await progressAfter(connection, id);
  if (progress !== undefined || !options.wait) {
    if (asJson) printJson({ ...sent, proposal: id, counter: offer.id, approvals: progress }, shell);
    else if (progress !== undefined) shell.print(`${describeProgress(progress, voiceAt(shell.now()))}.`);
    return EXIT.done;
  }
  const outcome = await awaitResult(connect(options, shell, 'agent', { signal }), id, {
    after: (sent.seq ?? 1) - 1,
    signal,
    ...defined({ timeout: options.timeout }),
    shell,
  });
  printOutcome(outcome, shell, asJson);
  return outcome.exit;
}

/** The named offer, or the only live one. */
function chooseOffer({ id, proposer, counters = [] }: ProposalView, named: string | undefined) {
  const standing = counters.filter(({ by, state }) => by !== proposer && state === 'live');
  const fitting = named === undefined ? standing : standing.filter((offer) => offer.id.startsWith(named));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const what = `${visible(id)} has ${standing.length === 0 ? 'no counter-offer' : 'several counter-offers'}`;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'unknown_counter',
    message: `${what} that ${named === undefined ? 'is open' : `begins with ${visible(named)}`}.`,
    next: standing.map((offer) => `--counter ${visible(offer.id)}   # ${visible(offer.by)}`),
  });
}
