import type { ProposalProjection, SessionProposalView } from '@proffer/core/negotiation';
import type { Style } from '../terminal/shell.js';
import { visible, visibleLines } from '../terminal/visible.js';
import { showAttachedCall } from './call-view.js';

/**
 * The offers of a negotiation as a tree: a counter-offer is below the offer it counters. Each with its
 * acceptances and rejections.
 */
export function showOffers(projection: ProposalProjection, style: Style): readonly string[] {
  const offers = [...projection.proposals.values()];
  if (offers.length === 0) return [style.dim('  nobody has made an offer')];
  const counters = new Map<string | undefined, SessionProposalView[]>();
  for (const offer of offers) {
    const siblings = counters.get(offer.supersedes);
    if (siblings === undefined) counters.set(offer.supersedes, [offer]);
    else siblings.push(offer);
  }
  const remarks = remarksOf(projection, style);
  const lines: string[] = [];
  // A stack, since a chain of counter-offers may be longer than calls can nest.
  const pending = (counters.get(undefined) ?? []).map((offer) => ({ offer, depth: 0 })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { offer, depth } = next;
    const indent = `  ${'   '.repeat(Math.min(depth, DEEPEST))}`;
    lines.push(...showOffer(offer, { indent, isCounter: depth > 0, style }));
    for (const remark of remarks.get(offer.proposalId) ?? []) lines.push(`${indent}   ${remark}`);
    const below = counters.get(offer.proposalId) ?? [];
    pending.push(...below.map((counter) => ({ offer: counter, depth: depth + 1 })).reverse());
  }
  return lines;
}

const DEEPEST = 12;

function showOffer(
  { proposalId, title, summary, details, proposer, disposition, supersededBy, tags }: SessionProposalView,
  {
    indent,
    isCounter,
    style,
  }: { readonly indent: string; readonly isCounter: boolean; readonly style: Style },
): readonly string[] {
  const isLive = disposition === 'live';
  const mark = isLive ? style.green('●') : style.dim('○');
  const branch = isCounter ? style.dim('└─ ') : '';
  const fate = isLive
    ? style.green('live')
    : style.dim(supersededBy === undefined ? 'withdrawn' : `countered by ${visible(supersededBy)}`);
  const labels = tags.length === 0 ? '' : style.dim(`  #${tags.map(visible).join(' #')}`);
  const head = `${style.bold(visible(proposalId))}  ${visible(title)}  ${style.dim('by')} ${visible(proposer)}`;
  // The branch is drawn in the indent.
  const start = isCounter ? `${indent.slice(3)}${branch}` : indent;
  return [
    `${start}${mark} ${head}  ${fate}${labels}`,
    ...(summary === '' ? [] : visibleLines(summary, `${indent}   ${style.dim('│')} `)),
    ...showAttachedCall(details, `${indent}   `, style),
  ];
}

/** Current acceptances, and rejections, by offer. */
function remarksOf(projection: ProposalProjection, style: Style): ReadonlyMap<string, readonly string[]> {
  const remarks = new Map<string, string[]>();
  const add = (proposalId: string, text: string): void => {
    remarks.set(proposalId, [...(remarks.get(proposalId) ?? []), text.trimEnd()]);
  };
  const { proposals, accepts, terms } = projection;
  const ownOfferCounts = terms?.rules.acceptance.criterion === 'counterparty';
  for (const { proposalId, proposer } of ownOfferCounts ? projection.liveProposals() : []) {
    if (accepts.get(proposer)?.proposalId === proposalId) continue;
    add(proposalId, `${style.green('✓')} ${visible(proposer)} made it, which counts as accepting it`);
  }
  for (const { sender, proposalId, reason } of accepts.values()) {
    const own = proposals.get(proposalId)?.proposer === sender ? ', their own offer' : '';
    add(proposalId, `${style.green('✓')} ${visible(sender)} accepts it${own}  ${style.dim(visible(reason))}`);
  }
  for (const { sender, proposalId, reason, terminal } of projection.rejections) {
    const word = terminal ? style.red(' for good') : '';
    add(proposalId, `${style.red('✗')} ${visible(sender)} rejects it${word}  ${style.dim(visible(reason))}`);
  }
  return remarks;
}
