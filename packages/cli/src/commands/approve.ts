import { defined, diffJson, type JsonObject } from '@proffer/core/json';
import { describeProgress } from '@proffer/core/words';
import { applyAssignments } from '../arguments.js';
import { EXIT, type ExitCode, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { collect, durationOption, type EndpointOptions, EXACT, withGuards } from '../command-options.js';
import { connect, connectToHolder } from '../connection/connect.js';
import { createConnection } from '../connection/connection.js';
import { takeBackMessage } from '../connection/envelopes.js';
import { showCard } from '../display/card.js';
import { showChanges } from '../display/changes.js';
import { printOutcome } from '../display/outcome.js';
import { wholeId } from '../display/short-ids.js';
import { checkDigest, progressAfter, sendApproval, waitsAfter } from '../proposals/approval.js';
import { awaitResult } from '../proposals/await-outcome.js';
import { checkNames, type NameLookup } from '../proposals/check-names.js';
import { findProposal } from '../proposals/find-proposal.js';
import { type ProposalView, reasonIn } from '../proposals/proposal-view.js';
import { executorOf, membersNow, predecessorIn } from '../proposals/served.js';
import { explainLate, tooLate } from '../proposals/too-late.js';
import { explainUnserved } from '../proposals/unserved.js';
import { confirm } from '../terminal/confirm.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { visible, voiceAt } from '../terminal/visible.js';

/** `proffer approve`: shows what proposals would run, and approves exactly that. */
export const addApprove: AddCommands = (program, shell, done) => {
  withGuards(
    program
      .command('approve')
      .argument('<id...>', 'the proposals, or the beginnings of their ids')
      .description('Approve proposals: show the calls, then run each once')
      .option('--set <path=value>', 'change an argument first, such as text=hi; may be repeated', collect)
      .option('--add <path=value>', 'add an argument that the call does not have; may be repeated', collect)
      .option('--to <executor>', 'who runs it, if several could')
      .option(
        '--digest <digest>',
        'approve only if it still has this digest, which show and inbox --json print',
      )
      .option('--take-back', 'take your approval back, until enough people have approved; rejects nothing')
      .option('-y, --yes', 'do not ask for confirmation on a terminal')
      .option('--exact', EXACT)
      .option('--no-wait', 'do not wait for the result')
      .option(
        '--timeout <duration>',
        'give up after this time, even if nothing has been sent yet',
        durationOption,
      )
      .option('--json', 'print JSON'),
  ).action(async (ids: readonly string[], options: ApproveFlags) => {
    const [id = ''] = ids;
    if (options.takeBack === true) return await takeBack(ids, options, shell);
    done(
      ids.length === 1
        ? await approve(id, options, shell)
        : await (await import('./approve-several.js')).approveSeveral(ids, options, shell),
    );
  });
};

/** Command-line options of `approve`. */
export interface ApproveFlags extends EndpointOptions {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly to?: string;
  /** Takes an approval back instead. */
  readonly takeBack?: boolean;
  /** Skip the confirmation. */
  readonly yes?: boolean;
  /** The digest of the proposal as the reviewer saw it. */
  readonly digest?: string;
  readonly exact?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

/**
 * Shows what a proposal would run, approves exactly that, and waits for the result unless told not to, all
 * within the given time. On a terminal it asks first.
 */
async function approve(text: string, options: ApproveFlags, shell: Shell): Promise<ExitCode> {
  const signal = shell.interruption();
  const until = options.timeout === undefined ? undefined : Date.now() + options.timeout;
  const connection = await connectToHolder(text, options, shell, { signal, ...defined({ until }) });
  const { exact } = options;
  const { proposal, history } = await findProposal(connection, text, { pending: true, exact });
  const { id } = proposal;
  if (options.digest !== undefined) checkDigest(proposal, options.digest, connection);
  const { set = [], add = [] } = options;
  await checkNames(proposal, set, { connection, until });
  const params = applyAssignments(proposal.method, proposal.params, [...set, ...add]);
  const asJson = options.json === true;
  const executor = asJson
    ? options.to
    : await present(proposal, params, { connection, options, shell, until, reason: reasonIn(history) });
  const isAsked = mustAsk(proposal, options, shell);
  if (isAsked && !(await confirm('Approve and run this call?', shell, signal))) {
    shell.tell('Nothing was approved.');
    return EXIT.refused;
  }
  // Somebody new runs it only if a person was shown that, or named it.
  const insteadOf = isAsked || options.to !== undefined ? predecessorIn(proposal, executor) : undefined;
  const sent = await sendApproval(connection, proposal, { params, executor, insteadOf }).catch(
    async (error: unknown) => {
      const late = await explainLate(error, id, connection);
      throw await explainUnserved(late, proposal, connection);
    },
  );
  if (!asJson) shell.tell(`Approved ${shell.style.bold(visible(wholeId(id)))}.`);
  const progress = await progressAfter(connection, id);
  if (progress !== undefined) {
    // Other approvals may take days, so there is nothing to wait for here.
    if (asJson) printJson({ ...sent, proposal: id, state: 'pending', approvals: progress }, shell);
    else
      shell.print(
        `${describeProgress(progress, voiceAt(shell.now()))}. The call runs once enough people have approved it.`,
      );
    return EXIT.done;
  }
  const waitsFor = await waitsAfter(connection, id);
  if (waitsFor !== undefined) {
    // The proposal is decided. The approver does not wait for its dependencies.
    if (asJson) printJson({ ...sent, proposal: id, state: 'approved', waitsFor }, shell);
    else
      shell.print(
        `It runs when ${waitsFor.map(visible).join(', ')} ${waitsFor.length === 1 ? 'has' : 'have'} succeeded.`,
      );
    return EXIT.done;
  }
  if (!options.wait) {
    if (asJson) printJson({ ...sent, proposal: id }, shell);
    return EXIT.done;
  }
  // The wait has its own rules and messages for an approval that stands.
  const outcome = await awaitResult(createConnection(connection.endpoint, shell.name, { signal }), id, {
    // Starts just before the approval, so that the approval itself triggers a look.
    after: (sent.seq ?? 1) - 1,
    signal,
    ...(until === undefined ? {} : { timeout: Math.max(0, until - Date.now()) }),
    shell,
  });
  printOutcome(outcome, shell, asJson);
  return outcome.exit;
}

/** With less time left than this (in milliseconds), only necessary requests are made. */
const LITTLE_TIME = 2_000;

interface Presenting extends NameLookup {
  readonly options: ApproveFlags;
  readonly shell: Shell;
  /** Why the proposer asks. */
  readonly reason: string;
}

/** Shows what is about to run. Returns the executor if it is known: the approval then names it. */
async function present(
  proposal: ProposalView,
  params: JsonObject | undefined,
  { connection, options, shell, until = Number.POSITIVE_INFINITY, reason }: Presenting,
): Promise<string | undefined> {
  if (proposal.phase !== 'pending') return options.to;
  const { style } = shell;
  const left = until - Date.now();
  // The list of members only helps the reader; the gateway decides without it. Worth part of the time, if there is enough.
  const members = left < LITTLE_TIME ? undefined : await membersNow(connection.endpoint, left / 4);
  const executor = options.to ?? executorOf(proposal, members);
  const about = { members, executor: options.to, reason };
  shell.tell(...showCard(proposal, params, { style, now: shell.now(), ...about }));
  const changes = diffJson(proposal.params, params);
  if (changes.length > 0) shell.tell('You changed:', ...showChanges(changes, style, { indent: '  ' }));
  return executor;
}

/** Confirmation is asked for on a terminal only (decision 0015); `--yes`, `--digest` and `--json` are for scripts. */
export function mustAsk({ phase }: ProposalView, { yes, digest, json }: ApproveFlags, shell: Shell): boolean {
  const isTerminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  return isTerminal && phase === 'pending' && yes !== true && digest === undefined && json !== true;
}

/** Takes your approval of a proposal back (O-29). */
async function takeBack(
  [text = '', ...others]: readonly string[],
  options: ApproveFlags,
  shell: Shell,
): Promise<void> {
  if (others.length > 0) throw usageFailure('Take approvals back one by one.');
  const connection = connect(options, shell, 'reviewer');
  const { id } = (await findProposal(connection, text, { pending: true, exact: options.exact })).proposal;
  const sent = await connection.send(takeBackMessage(id));
  if (sent.status === 'late') throw await tooLate(id, connection);
  if (options.json === true) printJson({ ...sent, proposal: id }, shell);
  else shell.print(`You took back your approval of ${visible(wholeId(id))}. This call stays pending.`);
}
