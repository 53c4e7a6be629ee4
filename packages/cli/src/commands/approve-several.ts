import { randomUUID } from 'node:crypto';
import type { Sent } from '@proffer/client/http';
import type { ApprovalProgress } from '@proffer/core/approvals';
import { defined } from '@proffer/core/json';
import type { Assertion, SignedDecision } from '@proffer/core/operations';
import { describeProgress } from '@proffer/core/words';
import { CommandFailure, EXIT, type ExitCode, type Failure, usageFailure } from '../command-failure.js';
import { connectToHolder } from '../connection/connect.js';
import { createConnection, type GatewayConnection } from '../connection/connection.js';
import { type CardOptions, showCard } from '../display/card.js';
import { outcomeJson, printOutcome } from '../display/outcome.js';
import { progressAfter, sendApproval, shownDecision, waitsAfter } from '../proposals/approval.js';
import { awaitResult, type WaitOutcome } from '../proposals/await-outcome.js';
import { findEach, type Typed } from '../proposals/find-proposal.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { executorOf, membersNow } from '../proposals/served.js';
import { decisionFailed, signWithOwnKey } from '../proposals/sign-approval.js';
import { explainLate } from '../proposals/too-late.js';
import { explainUnserved } from '../proposals/unserved.js';
import { confirm } from '../terminal/confirm.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { visible, voiceAt } from '../terminal/visible.js';
import { type ApproveFlags, mustAsk } from './approve.js';

/** The outcome for one proposal. */
type ItemOutcome =
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'counted'; readonly progress: ApprovalProgress }
  | { readonly type: 'held'; readonly sent: Sent; readonly waitsFor: readonly string[] }
  | { readonly type: 'sent'; readonly sent: Sent }
  | { readonly type: 'ended'; readonly outcome: WaitOutcome };

interface Item {
  readonly proposal: ProposalView;
  readonly executor: string | undefined;
}

/**
 * Approves several proposals (O-35): shows all of them first, asks once, and reports an outcome for each. A
 * proposal that was rejected, or whose executor or definition changed since it was shown, is skipped and
 * reported, as is a wrong id.
 */
export async function approveSeveral(
  texts: readonly string[],
  options: ApproveFlags,
  shell: Shell,
): Promise<ExitCode> {
  checkOptions(options, shell);
  const signal = shell.interruption();
  const until = options.timeout === undefined ? undefined : Date.now() + options.timeout;
  const times = { signal, ...defined({ until }) };
  const connection = await connectToHolder(texts[0] ?? '', options, shell, times);
  const asJson = options.json === true;
  const typed = await findEach(texts, connection, options.exact);
  const found = typed.flatMap(({ proposal }) => proposal ?? []);
  // Presence helps the reader, and lets the approval name the executor that was shown.
  const members = asJson ? undefined : await membersNow(connection.endpoint);
  const items = found.map((proposal) => ({
    proposal,
    executor: options.to ?? executorOf(proposal, members),
  }));
  if (!asJson) {
    present(typed, { members, executor: options.to }, shell);
    for (const { id, failure } of typed)
      if (failure !== undefined) shell.tell(`${visible(id)}: ${visible(failure.message)}`);
  }
  const isAsked = found.some((proposal) => mustAsk(proposal, options, shell));
  if (isAsked && !(await confirm(`Approve and run all ${items.length}?`, shell, signal))) {
    shell.tell('Nothing was approved.');
    return EXIT.refused;
  }
  const sent: (readonly [Item, ItemOutcome])[] = [];
  // In the order typed: later ones may depend on earlier ones.
  const batch = randomUUID();
  const asked = new Map<Item, SignedDecision>();
  for (const item of items) {
    const outcome = await failureOf(
      approveOne(item, { batch, onAsked: (decision) => asked.set(item, decision) }, connection),
    );
    sent.push([item, outcome]);
  }
  const signature = asked.size === 0 ? undefined : await signWithOwnKey(connection, [...asked.values()]);
  if (signature !== undefined)
    for (const [index, [item]] of sent.entries())
      if (asked.has(item))
        sent[index] = [item, await failureOf(approveOne(item, { batch, signature }, connection))];
  const waiting = createConnection(connection.endpoint, shell.name, { signal });
  const ended = sent.map(async ([{ proposal }, outcome]): Promise<readonly [string, ItemOutcome]> => {
    if (outcome.type !== 'sent' || !options.wait) return [proposal.id, outcome];
    const timeout = until === undefined ? {} : { timeout: Math.max(0, until - Date.now()) };
    const after = (outcome.sent.seq ?? 1) - 1;
    const result = awaitResult(waiting, proposal.id, { after, signal, ...timeout, shell });
    return [proposal.id, await failureOf(result.then((found) => ({ type: 'ended', outcome: found })))];
  });
  const ends = new Map(await Promise.all(ended));
  for (const { id, failure } of typed) if (failure !== undefined) ends.set(id, { type: 'failed', failure });
  // In the order typed.
  const outcomes = typed.flatMap(({ id }) => {
    const outcome = ends.get(id);
    return outcome === undefined ? [] : [[id, outcome] as const];
  });
  if (asJson) printJson({ outcomes: outcomes.map(([id, outcome]) => itemJson(id, outcome)) }, shell);
  else for (const [id, outcome] of outcomes) printItem(id, outcome, shell);
  return outcomes.map(([, outcome]) => exitOf(outcome)).find((exit) => exit !== EXIT.done) ?? EXIT.done;
}

function checkOptions({ set = [], add = [], digest }: ApproveFlags, { name }: Shell): void {
  const used = set.length > 0 ? '--set' : add.length > 0 ? '--add' : digest === undefined ? '' : '--digest';
  if (used === '') return;
  throw usageFailure(`${used} applies to one proposal, but several were given. Nothing was approved.`, [
    `${name} approve ID ${used} …   # one at a time`,
  ]);
}

function present(
  typed: readonly Typed[],
  about: Pick<CardOptions, 'members' | 'executor'>,
  shell: Shell,
): void {
  const { style } = shell;
  const found = typed.filter((each) => each.proposal !== undefined);
  for (const [index, { proposal, reason }] of found.entries()) {
    if (proposal.phase !== 'pending') continue;
    shell.tell(style.dim(`── ${index + 1} of ${found.length}`));
    shell.tell(...showCard(proposal, proposal.params, { style, now: shell.now(), reason, ...about }));
  }
}

/** What the approvals of one action share. */
interface Together {
  readonly batch: string;
  readonly signature?: Assertion;
  /** Called with what has to be signed, if that is demanded: all of them are signed together. */
  readonly onAsked?: (decision: SignedDecision) => void;
}

async function approveOne(
  { proposal, executor }: Item,
  { onAsked, ...together }: Together,
  connection: GatewayConnection,
): Promise<ItemOutcome> {
  const { id, params } = proposal;
  try {
    const sent = await sendApproval(connection, proposal, { params, executor, ...together });
    const progress = await progressAfter(connection, id);
    if (progress !== undefined) return { type: 'counted', progress };
    const waitsFor = await waitsAfter(connection, id);
    return waitsFor === undefined ? { type: 'sent', sent } : { type: 'held', sent, waitsFor };
  } catch (error) {
    const shown = shownDecision(proposal, { params, executor });
    const decision = onAsked && decisionFailed(error, shown, connection);
    if (decision !== undefined) onAsked?.(decision);
    throw await explainUnserved(await explainLate(error, id, connection), proposal, connection);
  }
}

async function failureOf(outcome: Promise<ItemOutcome>): Promise<ItemOutcome> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof CommandFailure) return { type: 'failed', failure: error.failure };
    throw error;
  }
}

function exitOf(outcome: ItemOutcome): ExitCode {
  if (outcome.type === 'failed') return outcome.failure.exit;
  return outcome.type === 'ended' ? outcome.outcome.exit : EXIT.done;
}

function itemJson(proposal: string, outcome: ItemOutcome) {
  switch (outcome.type) {
    case 'failed': {
      const { code, message, details = {}, exit } = outcome.failure;
      return { proposal, error: { code, message, details }, exit };
    }
    case 'counted':
      return { proposal, state: 'pending', approvals: outcome.progress, exit: EXIT.done };
    case 'held':
      return { proposal, ...outcome.sent, state: 'approved', waitsFor: outcome.waitsFor, exit: EXIT.done };
    case 'sent':
      return { proposal, ...outcome.sent, exit: EXIT.done };
    case 'ended':
      return { proposal, ...outcomeJson(outcome.outcome) };
  }
}

function printItem(id: string, outcome: ItemOutcome, shell: Shell): void {
  const { style } = shell;
  const name = style.bold(visible(id));
  switch (outcome.type) {
    case 'failed':
      return shell.print(`${name}  ${style.red('✗')} ${visible(outcome.failure.message)}`);
    case 'counted':
      return shell.print(`${name}  ${describeProgress(outcome.progress, voiceAt(shell.now()))}`);
    case 'held':
      return shell.print(
        `${name}  ${style.green('approved')}, runs after ${outcome.waitsFor.map(visible).join(', ')}`,
      );
    case 'sent':
      return shell.print(`${name}  ${style.green('approved')}`);
    case 'ended':
      return printOutcome(outcome.outcome, shell, false);
  }
}
