import type { JsonObject } from '@proffer/core/json';
import { describeStanding, describeStatus, type Voice } from '@proffer/core/words';
import { EXIT, type ExitCode, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { withGuards } from '../command-options.js';
import { connectToAny } from '../connection/connect.js';
import { consoleAddress, resolveEndpoint, sameOptions, whereOptions } from '../connection/endpoint.js';
import {
  elsewhereLines,
  isPlaceNamed,
  otherGateways,
  type WaitingElsewhere,
  waitingElsewhere,
} from '../connection/other-gateways.js';
import { argumentOrder, riskOf } from '../display/card.js';
import {
  briefArguments,
  phaseWord,
  proposalJson,
  visibleName,
  whoAsksBriefly,
} from '../display/operation.js';
import { shortIds } from '../display/short-ids.js';
import { printPaused } from '../display/unserved-note.js';
import { type ListingOptions, listingOf, listMachine, type ProposalListing } from '../inbox/listing.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import type { Present } from '../proposals/served.js';
import { openBrowser } from '../terminal/open-browser.js';
import { createStyle, printJson, type Shell } from '../terminal/shell.js';
import { formatTable, tableWidth } from '../terminal/table.js';
import { formatSpan, visible, voiceAt } from '../terminal/visible.js';

/** Proposals that `--all` shows, at most. */
export const MAX_SHOWN = 500;

/** `proffer inbox`: what is pending, as a list, live, or in the browser. */
export const addInbox: AddCommands = (program, shell, done) => {
  withGuards(
    program
      .command('inbox')
      .description('List pending proposals')
      .option('-w, --watch', 'live view, with keys to decide')
      .option('--open', 'open the inbox in the browser; with --guard, signed in')
      .option('--share [address]', 'with --guard: let phones on this network review calls, while it runs')
      .option('--all', `all proposals, not only pending ones (the latest ${MAX_SHOWN})`)
      .option('--data <folder>', "read a journal's folder instead of asking a gateway")
      .option('--json', 'print JSON'),
  ).action(async (options: InboxFlags) => done(await inbox(options, shell)));
};

/** Command-line options of `inbox`. */
export interface InboxFlags extends ListingOptions {
  readonly watch?: boolean;
  readonly open?: boolean;
  /** Where devices find it; true for the address in the local network. */
  readonly share?: string | true;
  readonly json?: boolean;
}

/** Prints pending proposals, or all of them, or shows a live view. */
async function inbox(options: InboxFlags, shell: Shell): Promise<ExitCode> {
  if (options.share !== undefined) {
    if (options.guard !== true)
      throw usageFailure("--share is for the inbox of this machine's guards.", [
        `${shell.name} inbox --guard --share`,
      ]);
    return await (await import('../share/share-inbox.js')).shareInbox(options.share, shell);
  }
  if (options.open === true) return await openInbox(options, shell);
  if (options.watch === true) return await watch(options, shell);
  const { listing, elsewhere } = await listMachine(options, MAX_SHOWN, shell);
  if (options.json === true) {
    printJson(machineJson(listing, elsewhere), shell);
    return EXIT.done;
  }
  const isNamed = options.data !== undefined || isPlaceNamed(options, shell.env);
  const others = isNamed || options.all === true ? [] : elsewhere.filter(isAnyPending);
  if (listing !== undefined) {
    if (listing.proposals.length > 0) await printListing(listing, options, shell);
    else if (others.length === 0) shell.print(...nothingWaits(options, shell));
  }
  for (const [index, other] of others.entries()) {
    const isFirst = index === 0 && (listing?.proposals.length ?? 0) === 0;
    shell.print(...(isFirst ? [] : ['']), `Pending ${visible(other.where)}:`);
    const there = listingOf(other);
    if (there !== undefined) await printListing(there, {}, shell);
  }
  const rest = elsewhere.filter((one) => !others.includes(one));
  if (listing === undefined && others.length === 0) shell.print('Nothing is waiting for a decision.');
  const lines = elsewhereLines(rest, { name: shell.name, command: 'inbox' });
  if (lines.length > 0) shell.print('', ...lines.map(visible));
  return EXIT.done;
}

function isAnyPending({ pending }: WaitingElsewhere): boolean {
  return pending !== undefined && pending.proposals.length > 0;
}

function machineJson(
  listing: ProposalListing | undefined,
  elsewhere: readonly WaitingElsewhere[],
): JsonObject {
  const { proposals = [], more = 0 } = listing ?? {};
  const others = elsewhere.map(({ url, space, pending }) => ({
    url,
    space,
    ...(pending === undefined
      ? { needs: 'token' }
      : { proposals: pending.proposals.map(jsonOf), more: pending.more }),
  }));
  return { proposals: proposals.map(jsonOf), more, ...(others.length === 0 ? {} : { elsewhere: others }) };
}

/** What an empty list says depends on where it is: a sample tool can be proposed only in dev mode. */
function nothingWaits(options: InboxFlags, shell: Shell): readonly string[] {
  const { style, name } = shell;
  if (options.all === true) return ['No proposals yet.'];
  const nothing = 'Nothing is waiting for a decision';
  if (options.data !== undefined) return [`${nothing}.`];
  if (options.guard === true) return [`${nothing} in the gateway of this machine's guards and hooks.`];
  const endpoint = resolveEndpoint(options, shell.env, 'reviewer');
  const isDev = endpoint.assumed || endpoint.given.as !== undefined;
  if (!isDev) return [`${nothing} in space ${visible(endpoint.space)} at ${visible(endpoint.url)}.`];
  const propose = `${name} propose echo --arg text=hello${visible(whereOptions(endpoint))}`;
  return [`${nothing}.`, style.dim(`  to make a proposal:  ${propose}`)];
}

async function printListing(
  { proposals, more, ids, at, doubts }: ProposalListing,
  options: InboxFlags,
  shell: Shell,
): Promise<void> {
  const { style, name } = shell;
  const isAll = options.all === true;
  const columns = [
    { title: 'ID', paint: style.bold },
    { title: 'FROM' },
    { title: 'WHAT', paint: style.cyan },
    { title: 'ARGUMENTS', flexible: true },
    { title: 'RISK' },
    { title: 'AGE' },
    { title: isAll ? 'STATE' : 'EXPIRES' },
    { title: 'NOTES' },
  ];
  const doubt = await doubts();
  const about = {
    short: shortIds(ids),
    now: shell.now(),
    withState: isAll,
    doubtAbout: doubt.about,
    members: doubt.members,
  };
  const rows = proposals.map((proposal) => rowOf(proposal, about));
  if (doubt.paused !== undefined) shell.print(...printPaused(doubt.paused, at, shell), '');
  if (isAll && more > 0) shell.print(style.dim(`… ${more} older ones`));
  shell.print(formatTable(columns, rows, { width: tableWidth(shell), style }));
  if (!isAll && more > 0) shell.print(style.dim(`… and ${more} more`));
  const commands =
    options.data === undefined
      ? [`${name} approve ID`, `${name} reject ID --reason …`, `${name} show ID`, `${name} inbox --watch`]
      : [`${name} show ID`, `${name} log`];
  const same = at === '' ? '' : `, each with${visible(at)}`;
  shell.print('', style.dim(`${commands.join(' · ')}${same}`));
}

async function watch(options: InboxFlags, shell: Shell): Promise<ExitCode> {
  if (options.data !== undefined)
    throw usageFailure('--watch needs a gateway, so it cannot be used with --data.', [
      `${shell.name} inbox --watch --guard   # the gateway of this machine's guards`,
    ]);
  const connection = await connectToAny(options, shell);
  if (shell.stdin.isTTY !== true || shell.stdout.isTTY !== true) {
    throw usageFailure('--watch needs a terminal.', [
      `${shell.name} log --follow --json${sameOptions(connection.endpoint)}   # everything that happens, for programs`,
    ]);
  }
  const { runLiveInbox } = await import('../inbox/live.js');
  return await runLiveInbox({ connection, shell, signal: shell.interruption() });
}

const jsonOf = (proposal: ProposalView) => proposalJson(proposal);

interface RowContext {
  readonly short: (id: string) => string;
  readonly now: number;
  readonly withState: boolean;
  readonly members: readonly Present[] | undefined;
  readonly doubtAbout: (proposal: ProposalView) => string | undefined;
}

function rowOf(
  proposal: ProposalView,
  { short, now, withState, doubtAbout, members }: RowContext,
): readonly string[] {
  const { id, proposedAt } = proposal;
  const voice = voiceAt(now);
  const doubt = doubtAbout(proposal);
  return [
    visible(short(id)),
    whoAsksBriefly(proposal),
    visibleName(proposal),
    briefArguments(proposal, argumentOrder(proposal, members)),
    proposal.phase === 'pending' ? (riskOf(proposal, members)?.headline ?? '') : '',
    formatSpan(now - proposedAt),
    withState ? phaseWord(proposal, createStyle(false)) : expires(proposal, now),
    [
      ...(doubt === undefined ? [] : [visible(doubt)]),
      ...describeStanding(proposal, now, voice),
      ...remarks(proposal, voice),
    ].join('; '),
  ];
}

function expires({ expiresAt }: ProposalView, now: number): string {
  if (expiresAt === undefined) return 'never';
  // Only a journal without a running gateway still lists expired proposals as pending.
  return expiresAt < now ? `${formatSpan(now - expiresAt)} ago` : `in ${formatSpan(expiresAt - now)}`;
}

/** Who said what without deciding. */
function remarks({ rejections, statuses, counters = [] }: ProposalView, voice: Voice): readonly string[] {
  const offers = counters
    .filter(({ state }) => state === 'live')
    .map(({ by }) => `${visible(by)} made a counter-offer`);
  const rejected = Object.keys(rejections).map((name) => `${visible(name)} rejected it`);
  const reported = Object.entries(statuses).map(
    ([name, { status }]) => `${visible(name)} ${describeStatus(status, voice)}`,
  );
  return [...rejected, ...offers, ...reported];
}

/** Opens the inbox in the browser. The link is printed too, for when no browser can be opened from here. */
async function openInbox(options: ListingOptions, shell: Shell): Promise<ExitCode> {
  if (options.data !== undefined)
    throw usageFailure('--open needs a gateway, so it cannot be used with --data.', [
      `${shell.name} inbox --open --guard   # the gateway of this machine's guards`,
    ]);
  const { endpoint, whoAmI } = await connectToAny(options, shell);
  // We can explain a missing gateway better than a browser can.
  await whoAmI();
  const { url, space, data } = endpoint;
  const { signInLink } = await import('../guard/sign-in-link.js');
  const link = data === undefined ? consoleAddress(url, space) : signInLink(data, url, shell.now());
  shell.print(link);
  if (data !== undefined) shell.tell(shell.style.dim('The link signs you in once and works for 2 minutes.'));
  const elsewhere = await waitingElsewhere(otherGateways(endpoint, shell.env), shell);
  shell.tell(...elsewhereLines(elsewhere, { name: shell.name, command: 'inbox --open' }));
  const trouble = await openBrowser(link, shell.env);
  if (trouble === undefined) return EXIT.done;
  shell.tell(`The browser cannot be opened from here: ${trouble}. Open the link yourself.`);
  return EXIT.done;
}
