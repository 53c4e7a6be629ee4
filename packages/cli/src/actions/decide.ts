import { diffJson } from '@proffer/core/json';
import { announcedNames, checkAssignment, isInCall } from '../argument-names.js';
import { applyAssignments } from '../arguments.js';
import { connect } from '../connect.js';
import { awaitResult } from '../connection/await-result.js';
import type { Connection, Sent } from '../connection/connection.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { fulfilmentMessage, rejectionMessage, withdrawalMessage } from '../connection/envelopes.js';
import { findProposal } from '../connection/find-proposal.js';
import { looksLikeGuards } from '../connection/guard-id.js';
import { nameOf, type ProposalView } from '../connection/proposal-view.js';
import { definitionsNow } from '../connection/served.js';
import { explainLate, tooLate } from '../connection/too-late.js';
import { explainUnserved } from '../connection/unserved.js';
import { showChanges } from '../display/changes.js';
import { showArguments } from '../display/operation.js';
import { printOutcome } from '../display/outcome.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { shellWord } from '../terminal/shell-word.js';
import { visible } from '../terminal/visible.js';

/** Options of `approve`, as they stand on the command line. */
export interface ApproveOptions extends EndpointOptions {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly to?: string;
  readonly wait: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** Options of `withdraw`, as they stand on the command line. */
export interface RemarkOptions extends EndpointOptions {
  readonly reason?: string;
  readonly message?: string;
  readonly json?: boolean;
}

/** Options of `reject`, as they stand on the command line. */
export interface RejectOptions extends RemarkOptions {
  readonly reason: string;
}

/** Fulfils a proposal, and waits for the result unless it shall not; all of it within the time given. */
export async function approve(text: string, options: ApproveOptions, shell: Shell): Promise<ExitCode> {
  const signal = shell.interruption();
  const until = options.timeout === undefined ? undefined : Date.now() + options.timeout;
  const connection = connect(options, shell, 'reviewer', {
    signal,
    ...(until === undefined ? {} : { until }),
  });
  const { style } = shell;
  const { proposal } = await findProposal(connection, text, 'pending');
  const { id } = proposal;
  const { set = [], add = [] } = options;
  await checkNames(proposal, set, { connection, until });
  const params = applyAssignments(proposal.method, proposal.params, [...set, ...add]);
  const sent = await connection
    .send(fulfilmentMessage(proposal, params, options.to))
    .catch(async (error: unknown) => {
      const late = await explainLate(error, id, connection);
      throw await explainUnserved(late, proposal, connection);
    });
  const asJson = options.json === true;
  if (!asJson) {
    const ran = { method: proposal.method, ...(params === undefined ? {} : { params }) };
    shell.tell(
      `Approved ${style.bold(visible(id))}: ${style.bold(visible(nameOf(proposal)))}, proposed by ${visible(proposal.proposer)}.`,
      ...showArguments(ran, style, '  '),
    );
    const changes = diffJson(proposal.params, params);
    if (changes.length > 0) shell.tell('You changed:', ...showChanges(changes, style, '  '));
    for (const doubt of doubts(proposal)) shell.tell(style.yellow(`! ${visible(doubt)}`));
  }
  if (!options.wait) {
    if (asJson) printJson({ ...sent, proposal: id }, shell);
    return EXIT.done;
  }
  // The wait has its own end, and its own words for what is true of an approval that stands.
  const outcome = await awaitResult(connect(options, shell, 'reviewer', { signal }), id, {
    // From just before the approval, so that its own message makes it look at once.
    after: (sent.seq ?? 1) - 1,
    signal,
    ...(until === undefined ? {} : { timeout: Math.max(0, until - Date.now()) }),
    shell,
  });
  printOutcome(outcome, shell, asJson);
  return outcome.exit;
}

/** Why it may not run at once, where whoever proposed it has said so. */
function doubts({ proposer, statuses }: ProposalView): readonly string[] {
  return Object.entries(statuses).flatMap(([name, { status, message = '' }]) =>
    name === proposer && status === 'unable' && message !== '' ? [`${name}: ${message}`] : [],
  );
}

interface Asking {
  readonly connection: Connection;
  /** When the time given is over, in milliseconds since 1970. */
  readonly until: number | undefined;
}

/** An assignment as it is written in a shell. */
const OPTIONS = {
  set: (assignment: string) => `--set ${shellWord(assignment)}`,
  add: (assignment: string) => `--add ${shellWord(assignment)}`,
};

/** What is announced is asked for only where a name is not in the call itself. */
async function checkNames(
  { method, params, subject }: ProposalView,
  set: readonly string[],
  { connection, until = Number.POSITIVE_INFINITY }: Asking,
): Promise<void> {
  const unknown = set.filter((assignment) => !isInCall({ method, params }, assignment));
  if (unknown.length === 0) return;
  const served =
    subject === undefined || subject.list === 'resources'
      ? undefined
      : await definitionsNow(connection.endpoint, subject.list, Math.max(1, until - Date.now()));
  const found = served?.find(({ name }) => name === subject?.name);
  const announced = found === undefined ? undefined : announcedNames(found.definition);
  for (const assignment of unknown) checkAssignment({ method, params, announced }, assignment, OPTIONS);
}

/** Says no to a proposal. */
export async function reject(text: string, options: RejectOptions, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  const { id } = (await findProposal(connection, text, 'pending')).proposal;
  const sent = await connection.send(rejectionMessage(id, options.reason, options.message));
  return await printRemark(connection, sent, [id], options, shell, 'Rejected');
}

/** Takes back proposals of one's own, all of them or none. */
export async function withdraw(
  texts: readonly string[],
  options: RemarkOptions,
  shell: Shell,
): Promise<ExitCode> {
  const connection = connect(options, shell, 'agent');
  const found = await Promise.all(texts.map((text) => findProposal(connection, text, 'pending')));
  const ids = found.map(({ proposal }) => proposal.id);
  const sent = await connection.send(withdrawalMessage(ids, options.reason));
  return await printRemark(connection, sent, ids, options, shell, 'Withdrew');
}

async function printRemark(
  connection: Connection,
  sent: Sent,
  ids: readonly string[],
  { json }: RemarkOptions,
  shell: Shell,
  word: string,
): Promise<ExitCode> {
  if (sent.status === 'late') throw await tooLate(ids, connection);
  if (json === true) printJson({ ...sent, proposals: ids }, shell);
  else shell.print(`${word} ${ids.map(visible).join(', ')}.`);
  if (json !== true && word === 'Rejected') shell.print(shell.style.dim(`  ${afterRejection(ids)}`));
  return EXIT.done;
}

/** What becomes of it then. A guard takes back what anybody rejects; others may go on waiting (O-17). */
function afterRejection([id = '']: readonly string[]): string {
  return looksLikeGuards(id)
    ? 'Its guard takes it back as soon as it hears of this; whoever called the tool reads the reason.'
    : 'It stays pending unless whoever proposed it gives up; until then others may still approve it.';
}
