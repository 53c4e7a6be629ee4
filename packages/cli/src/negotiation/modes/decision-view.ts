import type { DecisionProjection, OptionView, VoteView } from '@proffer/core/negotiation';
import type { Style } from '../../terminal/shell.js';
import { visible, visibleLine } from '../../terminal/visible.js';
import { showAttachedCall } from '../call-view.js';
import { afterwards, someNames } from '../view-parts.js';

/** The options of a decision, each with who voted how on it, who objected and who evaluated it. */
export function showDecision(projection: DecisionProjection, style: Style): readonly string[] {
  const { proposals } = projection;
  if (proposals.size === 0) return [style.dim('  nobody has proposed an option')];
  return [...proposals.values()].flatMap((option) => showOption(option, projection, style));
}

function showOption(
  { proposalId, option, proposer, rationale, supportingData }: OptionView,
  { votes, objections, evaluations, terms }: DecisionProjection,
  style: Style,
): readonly string[] {
  const cast = votes.get(proposalId);
  const silent = [...(terms?.participants ?? [])].filter((name) => cast?.has(name) !== true);
  const isAbout = ({ proposalId: about }: { readonly proposalId: string }): boolean => about === proposalId;
  return [
    `  ${style.cyan('●')} ${style.bold(visible(proposalId))}  ${visible(option)}  ${style.dim(`by ${visible(proposer)}`)}`,
    ...(rationale === '' ? [] : [`    │ ${visibleLine(rationale)}`]),
    ...showAttachedCall(supportingData, '    ', style),
    ...evaluations
      .filter(isAbout)
      .map(
        ({ sender, recommendation, confidence, reason }) =>
          `    ${style.dim('≈')} ${visible(sender)} recommends ${recommendation}, ${Math.round(confidence * 100)} % sure${afterwards(reason)}`,
      ),
    ...objections.filter(isAbout).map(({ sender, severity, reason }) => {
      const paint = severity === 'critical' ? style.red : style.yellow;
      return `    ${paint('!')} ${visible(sender)} objects (${paint(severity)})${afterwards(reason)}`;
    }),
    ...[...(cast?.values() ?? [])].map((vote) => `    ${showVote(vote, style)}`),
    ...(silent.length === 0 ? [] : [style.dim(`    · no vote from ${someNames(silent)}`)]),
  ];
}

function showVote({ sender, vote, reason }: VoteView, style: Style): string {
  const said = `${visible(sender)}${afterwards(reason)}`;
  switch (vote) {
    case 'APPROVE':
      return `${style.green('✓')} ${said}`;
    case 'REJECT':
      return `${style.red('✗')} ${said}`;
    case 'ABSTAIN':
      return `– ${said} ${style.dim('(abstains)')}`;
  }
}
