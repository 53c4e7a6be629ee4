import type { BallotView, QuorumProjection } from '@proffer/core/negotiation';
import type { Style } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { showAttachedCall } from '../call-view.js';
import { afterwards, progressBar, showContent, someNames, together } from '../view-parts.js';

/** An approval: what was asked, how many of the required approvals there are, and every ballot. */
export function showQuorum(projection: QuorumProjection, style: Style): readonly string[] {
  const { request, ballots, approvals, requiredApprovals = 0, terms } = projection;
  if (request === undefined) return [style.dim('  nothing has been asked for')];
  const { requestId, action, summary, requester, details } = request;
  const silent = [...(terms?.participants ?? [])].filter((name) => !ballots.has(name));
  return [
    `  ${style.bold(visible(requestId))}  ${together(action, summary)}  ${style.dim(`asked by ${visible(requester)}`)}`,
    ...showContent(details, '    │ ', style),
    ...showAttachedCall(details, '    ', style),
    `    ${progressBar(approvals / requiredApprovals)} ${approvals} of ${requiredApprovals} approvals`,
    ...[...ballots.values()].map((ballot) => `    ${showBallot(ballot, style)}`),
    ...(silent.length === 0 ? [] : [style.dim(`    · no ballot from ${someNames(silent)}`)]),
  ];
}

function showBallot({ sender, ballot, reason }: BallotView, style: Style): string {
  const said = `${visible(sender)}${afterwards(reason)}`;
  switch (ballot) {
    case 'Approve':
      return `${style.green('✓')} ${said}`;
    case 'Reject':
      return `${style.red('✗')} ${said}`;
    case 'Abstain':
      return `– ${said} ${style.dim('(abstains)')}`;
  }
}
