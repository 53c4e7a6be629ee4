import type { JsonObject } from '@proffer/core';
import { usageFailure } from '../command-failure.js';
import { MOST_SHOWN } from '../commands/read.js';
import { connect } from '../connect.js';
import type { Connection } from '../connection/connection.js';
import type { EndpointOptions } from '../connection/endpoint-options.js';
import { sameOptions } from '../connection/gateway-url.js';
import { argumentsOf, nameOf, type ProposalView } from '../connection/proposal-view.js';
import { phaseWord } from '../display/phase.js';
import { proposalJson } from '../display/proposal-json.js';
import { shortIds } from '../display/short-ids.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { runLiveInbox } from '../inbox/live.js';
import type { Shell } from '../terminal/shell.js';
import { createStyle } from '../terminal/style.js';
import { formatTable, tableWidth } from '../terminal/table.js';
import { formatSpan } from '../terminal/time.js';
import { visible, visibleArguments } from '../terminal/visible.js';

/** Options of `inbox`, as they stand on the command line. */
export interface InboxOptions extends EndpointOptions {
  readonly watch?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Prints what waits for a decision, or what there ever was, or shows it live. */
export async function inbox(options: InboxOptions, shell: Shell): Promise<ExitCode> {
  const connection = connect(options, shell, 'reviewer');
  if (options.watch === true) {
    if (shell.stdin.isTTY !== true || shell.stdout.isTTY !== true) {
      throw usageFailure('--watch draws on a terminal and reads keys, and this is not one.', [
        `${shell.name} log --follow --json${sameOptions(connection.endpoint)}   # everything that happens, for programs`,
      ]);
    }
    return await runLiveInbox({ connection, shell, signal: shell.interruption() });
  }
  const isAll = options.all === true;
  const { proposals, more, ids } = await (isAll ? latestOf(connection) : pendingOf(connection));
  if (options.json === true) {
    shell.print(JSON.stringify({ proposals: proposals.map(jsonOf), more }));
    return EXIT.done;
  }
  if (proposals.length === 0) {
    shell.print(
      isAll ? 'Nothing was proposed here yet.' : 'Nothing waits for a decision.',
      ...(options.guard === true
        ? []
        : [shell.style.dim(`  to make a proposal:  ${shell.name} propose echo --arg text=hello`)]),
    );
    return EXIT.done;
  }
  const { style } = shell;
  const same = sameOptions(connection.endpoint);
  const columns = [
    { title: 'ID', paint: style.bold },
    { title: 'FROM' },
    { title: 'WHAT', paint: style.cyan },
    { title: 'ARGUMENTS', flexible: true },
    { title: 'AGE' },
    { title: isAll ? 'STATE' : 'EXPIRES' },
    { title: 'SAID' },
  ];
  const short = shortIds(ids);
  const rows = proposals.map((proposal) => rowOf(proposal, { short, now: shell.now(), withState: isAll }));
  if (isAll && more > 0) shell.print(style.dim(`… ${more} older ones`));
  shell.print(formatTable(columns, rows, { width: tableWidth(shell), style }));
  if (!isAll && more > 0) shell.print(style.dim(`… and ${more} more`));
  shell.print(
    '',
    style.dim(
      `${shell.name} approve ID · ${shell.name} reject ID --reason … · ${shell.name} show ID · ${shell.name} inbox --watch${same === '' ? '' : `, each with${visible(same)}`}`,
    ),
  );
  return EXIT.done;
}

/** All of them are looked at, and only the latest are kept, and the ids of all, however many there are. */
async function latestOf(connection: Connection) {
  let proposals: readonly ProposalView[] = [];
  const ids: string[] = [];
  for await (const page of connection.everyProposal()) {
    for (const { id } of page) ids.push(id);
    proposals = [...proposals, ...page].slice(-MOST_SHOWN);
  }
  return { proposals, more: ids.length - proposals.length, ids };
}

async function pendingOf(connection: Connection) {
  const { proposals, more } = await connection.pending();
  return { proposals, more, ids: proposals.map(({ id }) => id) };
}

const jsonOf = (proposal: ProposalView) => proposalJson(proposal as unknown as JsonObject);

function rowOf(
  proposal: ProposalView,
  {
    short,
    now,
    withState,
  }: { readonly short: (id: string) => string; readonly now: number; readonly withState: boolean },
): readonly string[] {
  const { id, proposer, proposedAt, expiresAt } = proposal;
  const expires = expiresAt === undefined ? 'never' : `in ${formatSpan(expiresAt - now)}`;
  return [
    visible(short(id)),
    visible(proposer),
    visible(nameOf(proposal)),
    visibleArguments(argumentsOf(proposal)),
    formatSpan(now - proposedAt),
    withState ? phaseWord(proposal, createStyle(false)) : expires,
    remarks(proposal),
  ];
}

/** Who said something about it without deciding. */
export function remarks({ rejections, statuses }: Pick<ProposalView, 'rejections' | 'statuses'>): string {
  const rejected = Object.keys(rejections).map((name) => `${visible(name)}: no`);
  const reported = Object.entries(statuses).map(
    ([name, { status }]) => `${visible(name)}: ${visible(status)}`,
  );
  return [...rejected, ...reported].join(', ');
}
