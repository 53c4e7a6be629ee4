import { defined, type JsonObject, sameJson } from '@proffer/core/json';
import {
  describeNewExecutor,
  describeRisk,
  describeStanding,
  PLAIN,
  type Risk,
  type ServedTool,
} from '@proffer/core/words';
import { announcedNames } from '../argument-names.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import { doubtAbout } from '../proposals/runnable.js';
import { executorOf, type Present, predecessorIn, serversOf } from '../proposals/served.js';
import type { Style } from '../terminal/shell.js';
import { fit, formatSpan, textOf, visible, visibleLine, voiceAt } from '../terminal/visible.js';
import { showCounters } from './changes.js';
import { showArguments, visibleName, whoAsks } from './operation.js';

/** How to draw a card. */
export interface CardOptions {
  readonly style: Style;
  readonly now: number;
  /** Who is in the space; absent if unknown. */
  readonly members?: readonly Present[] | undefined;
  /** The chosen executor. */
  readonly executor?: string | undefined;
  /** Why the proposer asks, in its own words; empty if it does not say. */
  readonly reason?: string;
}

/**
 * What would run if a proposal were approved with these params: which call, by whom, for whom. Nothing is
 * left out.
 */
export function showCard(
  proposal: ProposalView,
  params: JsonObject | undefined,
  { style, now, members, executor, reason = '' }: CardOptions,
): readonly string[] {
  const { id, method, proposedAt, digest } = proposal;
  const label = (text: string): string => `  ${style.dim(text.padEnd(8))}  `;
  const isChanged = !sameJson(params ?? null, proposal.params ?? null);
  const runs = executor === undefined ? runsOn(proposal, members, style) : visible(executor);
  return [
    `${style.bold(visibleName(proposal))}  ${style.dim(`(${visible(method)}, proposal ${visible(id)})`)}`,
    ...showRisk(proposal, members).map((text) => `${label('risk')}${text}`),
    ...showArguments({ method, ...defined({ params }) }, style, {
      indent: '    ',
      order: argumentOrder(proposal, members),
    }),
    `${label('asked by')}${whoAsks(proposal)}, ${formatSpan(now - proposedAt)} ago`,
    ...(reason === '' ? [] : [`${label('because')}“${visibleLine(reason)}”`]),
    ...(runs === undefined ? [] : [`${label('runs on')}${runs}`]),
    `${label('digest')}${style.dim(`${visible(digest)}${isChanged ? ' (of the proposal, without your changes)' : ''}`)}`,
    ...describeStanding(proposal, now, voiceAt(now)).map((text) => `${label('so far')}${text}`),
    ...showCounters(proposal, style),
    ...warnings(proposal, members, executor).map((text) => style.yellow(`! ${visibleLine(text)}`)),
  ];
}

/** Longer descriptions are cut: they are the server's text, and not part of what runs. */
const MAX_DESCRIPTION_LENGTH = 200;

/** The executors, with their description of the tool; `undefined` if unknown. */
export function runsOn(
  proposal: ProposalView,
  members: readonly Present[] | undefined,
  style: Style,
): string | undefined {
  const servers = members === undefined ? [] : serversOf(proposal, members);
  const executor = proposal.wouldRun?.name ?? executorOf(proposal, members);
  if (executor === undefined)
    return servers.length === 0 ? undefined : `one of ${servers.map(({ name }) => visible(name)).join(', ')}`;
  const definition = servers.find(({ name }) => name === executor)?.definition;
  const description = fit(visibleLine(textOf(definition?.['description'])), MAX_DESCRIPTION_LENGTH);
  const who = executor === proposal.proposer ? `${visible(executor)} itself` : visible(executor);
  return `${who}${description === '' ? '' : style.dim(`, which says: ${description}`)}`;
}

/** Reasons not to approve it now. May contain text from others; make it visible before showing it. */
export function warnings(
  proposal: ProposalView,
  members: readonly Present[] | undefined,
  executor = proposal.wouldRun?.name,
): readonly string[] {
  const { proposer, statuses } = proposal;
  const doubt =
    describeNewcomer(proposal, executor) ??
    (members === undefined ? undefined : doubtAbout(proposal, members));
  const said = statuses[proposer];
  const unable = said?.status === 'unable' && said.message !== undefined && said.message !== '';
  return [...(doubt === undefined ? [] : [doubt]), ...(unable ? [`${proposer}: ${said.message}`] : [])];
}

/** A warning that somebody new would run a call. */
function describeNewcomer(proposal: ProposalView, executor: string | undefined): string | undefined {
  const insteadOf = predecessorIn(proposal, executor);
  if (executor === undefined || insteadOf === undefined) return undefined;
  return describeNewExecutor({ executor, insteadOf }, PLAIN);
}

type Call = Pick<ProposalView, 'method' | 'params' | 'subject' | 'wouldRun'>;

/** The tool of a call as its executor describes it, or else the only one who serves it. */
function servedTool(call: Call, members: readonly Present[]): ServedTool | undefined {
  const executor = executorOf(call, members);
  const server = serversOf(call, members).find(({ name }) => name === executor);
  return server === undefined ? undefined : { by: server.name, definition: server.definition };
}

/** How risky a call is; `undefined` if it is not known who is here. */
export function riskOf(call: Call, members: readonly Present[] | undefined): Risk | undefined {
  if (members === undefined) return undefined;
  return describeRisk(call, servedTool(call, members), { text: visible });
}

/** The risk and its reasons on one line. */
export function showRisk(call: Call, members: readonly Present[] | undefined): readonly string[] {
  const risk = riskOf(call, members);
  return risk === undefined ? [] : [`${risk.headline}: ${risk.reasons.join('; ')}.`];
}

/** The names of a tool's arguments in its own order; empty if unknown. */
export function argumentOrder(call: Call, members: readonly Present[] | undefined): readonly string[] {
  const tool = members === undefined ? undefined : servedTool(call, members);
  return (tool && announcedNames(tool.definition)) ?? [];
}
