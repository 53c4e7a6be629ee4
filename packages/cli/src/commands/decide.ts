import type { BatchOutcome, Sent } from '@proffer/client/http';
import { defined, isJsonArray, type JsonObject } from '@proffer/core/json';
import { CommandFailure, EXIT, type ExitCode, type Failure, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { durationOption, type EndpointOptions, EXACT, withEndpoint, withGuards } from '../command-options.js';
import { connect, connectToHolder } from '../connection/connect.js';
import type { GatewayConnection } from '../connection/connection.js';
import {
  rejectionMessage,
  renewalMessage,
  statusMessage,
  withdrawalMessage,
} from '../connection/envelopes.js';
import { wholeId } from '../display/short-ids.js';
import { findEach, findProposal } from '../proposals/find-proposal.js';
import { consequenceOf } from '../proposals/rejection.js';
import { tooLate } from '../proposals/too-late.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { formatSpan, visible, voiceAt } from '../terminal/visible.js';

/** Reasons that programs know (O-17); anything else is free text. */
const REASONS =
  'busy, incapable, policy, disagree, unsafe, duplicate, invalid, timeout, resource_limit, other';

/** What can be reported about a proposal (O-42). */
const STATUSES = ['considering', 'queued', 'processing', 'unable'];

/** `proffer reject`, `status`, `withdraw` and `renew`: answer proposals, and change how long your own ones wait. */
export const addDecisions: AddCommands = (program, shell, done) => {
  withGuards(
    program
      .command('reject')
      .argument('<id...>', 'the proposals, or the beginnings of their ids')
      .description('Reject proposals, with a reason')
      .requiredOption(
        '-r, --reason <reason>',
        `${REASONS}, or free text; busy, incapable and timeout leave the call to others`,
      )
      .option('-m, --message <text>', 'details about the reason')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (texts: readonly string[], options: RejectFlags) =>
    done(await reject(texts, options, shell)),
  );

  withGuards(
    program
      .command('status')
      .addArgument(program.createArgument('[status]', 'your progress on proposals').choices(STATUSES))
      .argument('[id...]', 'the proposals, or the beginnings of their ids')
      .description('Show what is connected, or report your progress on proposals')
      .option('-m, --message <text>', 'details')
      .option('--exact', EXACT)
      .option('--data <folder>', 'without a status: the folder of the guards and hooks')
      .option('--json', 'print JSON'),
  ).action(
    async (
      word: string | undefined,
      texts: readonly string[],
      options: WithdrawFlags & { readonly data?: string },
    ) => {
      if (word === undefined)
        return await (await import('../actions/connect/status.js')).showStatus(options, shell);
      if (texts.length === 0)
        throw usageFailure('Which proposals? Their ids follow the status.', [
          `${shell.name} status ${word} ID`,
        ]);
      done(await status(word, texts, options, shell));
    },
  );

  withEndpoint(
    program
      .command('withdraw')
      .argument('<id...>', 'your own proposals, or the beginnings of their ids')
      .description('Withdraw your own proposals')
      .option('-r, --reason <reason>', 'why')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (texts: readonly string[], options: WithdrawFlags) =>
    done(await withdraw(texts, options, shell)),
  );

  withEndpoint(
    program
      .command('renew')
      .argument('<id>', 'your own proposal, or the beginning of its id')
      .description('Give your own proposal more time')
      .requiredOption('--ttl <duration>', 'how long it is valid from now on, such as 10m', durationOption)
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (text: string, options: RenewOptions) => await renew(text, options, shell));
};

/** Command-line options of `withdraw`. */
interface WithdrawFlags extends EndpointOptions {
  readonly reason?: string;
  readonly message?: string;
  readonly exact?: boolean;
  readonly json?: boolean;
}

/** Command-line options of `renew`. */
interface RenewOptions extends EndpointOptions {
  /** Milliseconds. */
  readonly ttl: number;
  readonly exact?: boolean;
  readonly json?: boolean;
}

/** Command-line options of `reject`. */
interface RejectFlags extends WithdrawFlags {
  readonly reason: string;
}

/** Rejects proposals. */
async function reject(texts: readonly string[], options: RejectFlags, shell: Shell): Promise<ExitCode> {
  const connection = await connectToHolder(texts[0] ?? '', options, shell);
  const { exact, json, reason } = options;
  const message = (ids: readonly string[]) => rejectionMessage(ids, reason, options.message);
  if (texts.length > 1)
    return await remarkSeveral(texts, { connection, message, done: 'rejected', exact, json }, shell);
  const { id } = (await findProposal(connection, texts[0] ?? '', { pending: true, exact })).proposal;
  return await printRemark(connection, await connection.send(message([id])), id, options, shell, 'Rejected');
}

/** Withdraws your own proposals. */
async function withdraw(texts: readonly string[], options: WithdrawFlags, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'agent');
  const { exact, json, reason } = options;
  const message = (ids: readonly string[]) => withdrawalMessage(ids, reason);
  if (texts.length > 1)
    return await remarkSeveral(texts, { connection, message, done: 'withdrawn', exact, json }, shell);
  const { id } = (await findProposal(connection, texts[0] ?? '', { pending: true, exact })).proposal;
  return await printRemark(connection, await connection.send(message([id])), id, options, shell, 'Withdrew');
}

/** Reports how far you are with proposals. */
async function status(
  word: string,
  texts: readonly string[],
  options: WithdrawFlags,
  shell: Shell,
): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  const { exact, json } = options;
  const message = (ids: readonly string[]) => statusMessage(ids, word, options.message);
  return await remarkSeveral(texts, { connection, message, done: word, exact, json }, shell);
}

/** Extends one of your own proposals, counted from now (O-36). */
async function renew(text: string, options: RenewOptions, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'agent');
  const { id } = (await findProposal(connection, text, { pending: true, exact: options.exact })).proposal;
  const sent = await connection.send(renewalMessage(id, options.ttl));
  if (sent.status === 'late') throw await tooLate(id, connection);
  if (options.json === true) printJson({ ...sent, proposal: id }, shell);
  else shell.print(`Renewed ${visible(wholeId(id))}: it expires in ${formatSpan(options.ttl)}.`);
}

async function printRemark(
  connection: GatewayConnection,
  sent: Sent,
  id: string,
  { json }: WithdrawFlags,
  shell: Shell,
  word: string,
): Promise<ExitCode> {
  if (sent.status === 'late') throw await tooLate(id, connection);
  if (json === true) printJson({ ...sent, proposals: [id] }, shell);
  else shell.print(`${word} ${visible(wholeId(id))}.`);
  if (json !== true && word === 'Rejected')
    shell.print(shell.style.dim(`  ${await consequenceOf(connection, id, voiceAt(shell.now()))}`));
  return EXIT.done;
}

/** One message about several proposals. */
interface SeveralRemark {
  readonly connection: GatewayConnection;
  /** The message about these. */
  readonly message: (ids: readonly string[]) => JsonObject;
  /** What its effect is called, such as `withdrawn`. */
  readonly done: string;
  readonly exact?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** The outcome for one of them. */
interface Item {
  readonly proposal: string;
  readonly seq?: number | undefined;
  readonly failure?: Failure;
}

/**
 * Says something about several proposals with one message, and prints an outcome for each (O-35). One that is unknown,
 * over or not theirs does not stop the others. The exit code is that of the first that did not succeed.
 */
export async function remarkSeveral(
  texts: readonly string[],
  remark: SeveralRemark,
  shell: Shell,
): Promise<ExitCode> {
  const { connection, exact, json, done } = remark;
  const typed = await findEach(texts, connection, exact);
  const ids = typed.flatMap(({ id, failure }) => (failure === undefined ? [id] : []));
  const outcomes = new Map((await sendAbout(ids, remark)).map((one) => [one.proposal, one]));
  const items: Item[] = [];
  for (const { id, failure } of typed)
    items.push(
      failure === undefined ? await itemOf(id, outcomes.get(id), connection) : { proposal: id, failure },
    );
  const exits = items.map((item) => item.failure?.exit ?? EXIT.done);
  if (json === true) printJson({ outcomes: items.map(itemJson) }, shell);
  else for (const item of items) printItem(item, done, shell);
  return exits.find((exit) => exit !== EXIT.done) ?? EXIT.done;
}

/** The gateway's outcomes: also those of a message that was refused because every part of it was. */
async function sendAbout(
  ids: readonly string[],
  { connection, message }: SeveralRemark,
): Promise<readonly BatchOutcome[]> {
  const [only] = ids;
  if (only === undefined) return [];
  try {
    const { outcomes, status, seq } = await connection.send(message(ids));
    const about = { id: '', proposal: only };
    // About one proposal, the message has only its own outcome.
    return outcomes ?? [status === 'late' ? { ...about, status } : { ...about, status, ...defined({ seq }) }];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { code, message: why, details = {} } = error.failure;
    const { outcomes } = details;
    if (isJsonArray(outcomes)) return outcomes as unknown as readonly BatchOutcome[];
    if (ids.length > 1) throw error;
    return [{ id: '', proposal: only, status: 'refused', error: { code, message: why, details } }];
  }
}

async function itemOf(
  proposal: string,
  outcome: BatchOutcome | undefined,
  connection: GatewayConnection,
): Promise<Item> {
  if (outcome?.status === 'late') return { proposal, failure: (await tooLate(proposal, connection)).failure };
  if (outcome?.status === 'refused') return { proposal, failure: { exit: EXIT.refused, ...outcome.error } };
  return { proposal, seq: outcome?.seq };
}

function itemJson({ proposal, seq, failure }: Item): JsonObject {
  if (failure === undefined) return { proposal, ...defined({ seq }), exit: EXIT.done };
  const { code, message, details = {}, exit } = failure;
  return { proposal, error: { code, message, details }, exit };
}

function printItem({ proposal, failure }: Item, done: string, { print, style }: Shell): void {
  const name = style.bold(visible(wholeId(proposal)));
  if (failure === undefined) print(`${name}  ${style.green(done)}`);
  else print(`${name}  ${style.red('✗')} ${visible(failure.message)}`);
}
