import { defined, type JsonObject } from '@proffer/core/json';
import { type Proposal, type SpaceState, viewProposal, viewSpace } from '@proffer/core/operations';
import { count } from '@proffer/core/words';
import { CommandFailure, EXIT } from '../../command-failure.js';
import type { DataOptions } from '../../command-options.js';
import { phaseWord, proposalJson, visibleName } from '../../display/operation.js';
import { shortIds } from '../../display/short-ids.js';
import { reportCutOff } from '../../journal/damaged.js';
import { foldJournal, type JournalFold } from '../../journal/fold.js';
import { journalPlace } from '../../journal/place.js';
import { argumentsOf, type ProposalView } from '../../proposals/proposal-view.js';
import { createStyle, printJson, type Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, textOf, visible, visibleArguments } from '../../terminal/visible.js';

/** Command-line options of `replay`. */
export interface ReplayFlags extends DataOptions {
  readonly until?: number;
  readonly space?: string;
}

/** Replays a journal and prints the resulting state. */
export async function replay(options: ReplayFlags, shell: Shell): Promise<void> {
  const folder = await journalPlace(options, shell);
  const { until, space } = options;
  const fold = await foldJournal(folder, defined({ until, space }));
  if (space !== undefined && fold.records === 0) throw noSuchSpace(space, fold.folder, until);
  reportCutOff(fold.cutOff, 'left out', shell);
  printFold(fold, shell, options.json === true);
}

function noSuchSpace(space: string, folder: string, until: number | undefined): CommandFailure {
  const then = until === undefined ? '' : ` up to seq ${until}`;
  const message = `Space ${JSON.stringify(space)} not found in ${folder}${then}.`;
  return new CommandFailure({ exit: EXIT.refused, code: 'unknown_space', message, details: { space } });
}

/** Prints the state of a journal: all of it as JSON, or the proposals of each space as a table. */
function printFold(fold: JournalFold, shell: Shell, asJson: boolean): void {
  const { folder, records, others, seq, spaces, copied } = fold;
  if (asJson) {
    const states = Object.fromEntries(Array.from(spaces, ([name, state]) => [name, spaceJson(state)]));
    printJson({ folder, records, others, seq, spaces: states }, shell);
    return;
  }
  const { style } = shell;
  const extra = others === 0 ? '' : `, ${others} of them not about operations`;
  shell.print(`${folder}: ${count(records, 'record')}${extra}, up to seq ${seq}.`);
  if (copied) shell.print(style.dim('A gateway has it open; this is a snapshot.'));
  for (const [name, state] of spaces) printSpace(name, state, shell);
}

function spaceJson(state: SpaceState): JsonObject {
  const proposals = Object.fromEntries(
    Array.from(state.proposals, ([id, proposal]) => [id, proposalJson(viewProposal(proposal))]),
  );
  return { ...viewSpace(state), proposals };
}

function printSpace(name: string, state: SpaceState, shell: Shell): void {
  const { style } = shell;
  const proposals = [...state.proposals.values()];
  const pending = proposals.filter(({ phase }) => phase === 'pending').length;
  shell.print(
    '',
    `${style.bold(`Space ${visible(name)}`)}  ${count(proposals.length, 'proposal')}, ${pending} pending`,
  );
  for (const { name: participant, serves } of state.participants.values()) {
    const tools = (serves.tools ?? []).map((tool) => visible(textOf(tool['name'])));
    if (tools.length > 0) shell.print(`${visible(participant)} serves ${tools.join(', ')}`);
  }
  if (proposals.length === 0) return;
  const columns = [
    { title: 'ID', paint: style.bold },
    { title: 'PROPOSED' },
    { title: 'FROM' },
    { title: 'WHAT', paint: style.cyan },
    { title: 'ARGUMENTS', flexible: true },
    { title: 'STATE' },
    { title: 'DECIDED BY' },
  ];
  const short = shortIds(state.proposals.keys());
  shell.print(
    '',
    formatTable(
      columns,
      proposals.map((proposal) => rowOf(proposal, short, shell.now())),
      { width: tableWidth(shell), style },
    ),
  );
}

function rowOf(proposal: Proposal, short: (id: string) => string, now: number): readonly string[] {
  const view = viewProposal(proposal) as unknown as ProposalView;
  return [
    visible(short(proposal.id)),
    formatMoment(proposal.proposedAt, now),
    visible(proposal.proposer),
    visibleName(proposal),
    visibleArguments(argumentsOf(view)),
    phaseWord(view, createStyle(false)),
    view.decision?.by === undefined ? '' : visible(view.decision.by),
  ];
}
