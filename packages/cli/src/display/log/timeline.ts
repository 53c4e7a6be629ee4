import { type Change, isJsonArray } from '@proffer/core/json';
import { expiresSoon } from '@proffer/core/lifetime';
import {
  describeDeadline,
  describeDecision,
  describeStanding,
  describeStep,
  describeUnknown,
  type StepWords,
  type Voice,
} from '@proffer/core/words';
import type { ProposalStep, ProposalView } from '../../proposals/proposal-view.js';
import type { Style } from '../../terminal/shell.js';
import { displayWidth, formatMoment, formatSpan, pad, visible, voiceAt } from '../../terminal/visible.js';
import { showChanges } from '../changes.js';
import { phaseWord, showArguments, visibleName, whoAsks } from '../operation.js';
import { showResult } from '../result.js';

/** The whole life of a proposal: what was asked, what everyone said, what ran, and the result. */
export function showTimeline(
  proposal: ProposalView,
  history: readonly ProposalStep[],
  {
    style,
    now,
    isRevealed = false,
  }: { readonly style: Style; readonly now: number; readonly isRevealed?: boolean },
): readonly string[] {
  const { expiresAt, phase } = proposal;
  const voice = voiceAt(now, isRevealed);
  const steps = history.map((step) => {
    const words = describeStep({ ...step, ...step.message }, voice);
    return { step, words, who: nameIn(words, step) };
  });
  const room = steps.reduce((width, { who }) => Math.max(width, displayWidth(who)), 8);
  const lines = [
    `${style.bold(visible(proposal.id))}  ${phaseWord(proposal, style)}`,
    `${whoAsks(proposal)} proposed ${style.bold(visibleName(proposal, isRevealed))} ${style.dim(`(${visible(proposal.method)})`)}`,
    ...showArguments(proposal, style, { indent: '  ', isRevealed }),
    '',
  ];
  for (const [index, { step, words, who }] of steps.entries()) {
    const since = step.time - proposal.proposedAt;
    const when = index === 0 ? formatMoment(step.time, now) : `+ ${formatSpan(since)}`;
    const indent = ' '.repeat(WHEN + room + 4);
    lines.push(`${pad(style.dim(when), WHEN)}  ${pad(who, room)}  ${sentence(words, { style, voice })}`);
    lines.push(...below(step, style, { indent, isRevealed }));
  }
  // Once it is approved, the approval names its dependencies.
  const standing = phase === 'pending' ? describeStanding(proposal, now, voice) : [];
  lines.push(...standing.map((what) => `${' '.repeat(WHEN)}  ${style.cyan(what)}`));
  const isSaid = expiresAt !== undefined && now < expiresAt && expiresSoon(proposal, now);
  if (phase === 'pending' && expiresAt !== undefined && !isSaid)
    lines.push(`${' '.repeat(WHEN)}  ${style.dim(describeDeadline(proposal, now, voice))}`);
  const decided = describeDecision(proposal, voice);
  const took =
    proposal.decision === undefined ? '' : style.dim(` Decided after ${formatSpan(proposal.decision.took)}.`);
  if (decided !== undefined) lines.push('', `${style.bold('Decision')}  ${decided}${took}`);
  if (proposal.outcome?.result === 'unknown')
    lines.push(`${style.bold('Outcome')}   ${describeUnknown(proposal.outcome, voice)}`);
  const ran = proposal.fulfilment?.digest;
  lines.push(`${style.bold('Digest')}    ${style.dim(visible(proposal.digest))}`);
  if (ran !== undefined && ran !== proposal.digest) {
    const label = proposal.outcome?.result === 'ok' ? 'Ran      ' : 'Approved ';
    lines.push(`${style.bold(label)} ${style.dim(visible(ran))}`);
  }
  return lines;
}

const WHEN = 10;

function nameIn(words: StepWords, { message }: ProposalStep): string {
  return words.isNotice === true ? 'gateway' : visible(message.from);
}

const COLOURS = { good: 'green', bad: 'red', plain: 'cyan' } as const;

/** The step in its colour, and what its sender said besides. */
function sentence({ what, said, tone }: StepWords, { style, voice }: Drawing): string {
  const quoted = said === undefined ? '' : `  “${voice.text(said)}”`;
  return `${style[COLOURS[tone]](what)}${quoted}`;
}

interface Drawing {
  readonly style: Style;
  readonly voice: Voice;
}

function below(
  { type, facts, message }: ProposalStep,
  style: Style,
  { indent, isRevealed }: { readonly indent: string; readonly isRevealed: boolean },
): readonly string[] {
  if (type === 'answered') return showResult(message.payload, `${indent}│ `, isRevealed);
  if (type !== 'fulfilled' && type !== 'countered') return [];
  return showChanges(changesIn(facts['amendment']), style, { indent, isRevealed });
}

function changesIn(amendment: unknown): readonly Change[] {
  return isJsonArray(amendment) ? (amendment as unknown as readonly Change[]) : [];
}
