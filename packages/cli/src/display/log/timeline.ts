import { type Change, isJsonArray, isJsonObject } from '@proffer/core/json';
import { nameOf, type ProposalView, type Step } from '../../proposals/proposal-view.js';
import type { Style } from '../../terminal/style.js';
import { formatMoment, formatSpan } from '../../terminal/time.js';
import { textOf, visible } from '../../terminal/visible.js';
import { displayWidth, pad } from '../../terminal/width.js';
import { showChanges } from '../changes.js';
import { describeDecision } from '../decision.js';
import { showArguments } from '../operation.js';
import { whoAsks } from '../origin.js';
import { phaseWord } from '../phase.js';
import { showResult } from '../result.js';
import { quorumOf, waitingFor } from '../standing.js';
import { describeNotice, reasonOf } from './message-line.js';

/** The whole life of a proposal: what was asked, what everyone said, what ran, and the result. */
export function showTimeline(
  proposal: ProposalView,
  history: readonly Step[],
  { style, now }: { readonly style: Style; readonly now: number },
): readonly string[] {
  const { expiresAt, phase } = proposal;
  const names = history.map((step) => nameIn(step));
  const room = names.reduce((width, name) => Math.max(width, displayWidth(name)), 8);
  const lines = [
    `${style.bold(visible(proposal.id))}  ${phaseWord(proposal, style)}`,
    `${whoAsks(proposal)} proposed ${style.bold(visible(nameOf(proposal)))} ${style.dim(`(${visible(proposal.method)})`)}`,
    ...showArguments(proposal, style, '  '),
    '',
  ];
  for (const [index, step] of history.entries()) {
    const since = step.time - proposal.proposedAt;
    const when = index === 0 ? formatMoment(step.time, now) : `+ ${formatSpan(since)}`;
    const indent = ' '.repeat(WHEN + room + 4);
    lines.push(`${pad(style.dim(when), WHEN)}  ${pad(names[index] ?? '', room)}  ${sentence(step, style)}`);
    lines.push(...below(step, style, indent));
  }
  const quorum = quorumOf(proposal);
  if (quorum !== undefined) lines.push(`${' '.repeat(WHEN)}  ${style.cyan(quorum)}`);
  // Once it is approved, the approval names its dependencies.
  const waits = phase === 'pending' ? waitingFor(proposal) : [];
  lines.push(...waits.map((what) => `${' '.repeat(WHEN)}  ${style.cyan(what)}`));
  if (phase === 'pending' && expiresAt !== undefined) {
    lines.push(
      `${' '.repeat(WHEN)}  ${style.dim(`expires in ${formatSpan(expiresAt - now)} unless someone decides`)}`,
    );
  }
  const decided = describeDecision(proposal);
  if (decided !== undefined) lines.push('', `${style.bold('Decision')}  ${decided}`);
  const ran = proposal.fulfilment?.digest;
  lines.push(`${style.bold('Digest')}    ${style.dim(visible(proposal.digest))}`);
  if (ran !== undefined && ran !== proposal.digest) {
    const label = proposal.outcome?.result === 'ok' ? 'Ran      ' : 'Approved ';
    lines.push(`${style.bold(label)} ${style.dim(visible(ran))}`);
  }
  return lines;
}

const WHEN = 10;

function nameIn({ type, message }: Step): string {
  return NOTICES.has(type) ? 'gateway' : visible(message.from);
}

const NOTICES = new Set([
  'expired',
  'addressees_absent',
  'nobody_capable',
  'expiring',
  'escalated',
  'dependencies_met',
  'dependency_failed',
  'declined',
  'opened',
  'outcome_unknown',
]);

function sentence({ type, message, facts }: Step, style: Style): string {
  const { payload, to = [] } = message;
  switch (type) {
    case 'proposed':
      return to.length === 0 ? 'proposed' : `proposed, for ${to.map(visible).join(', ')}`;
    case 'fulfilled': {
      const { executor, grant } = facts;
      const how = typeof grant === 'string' ? ` by the grant ${visible(grant)}` : '';
      const by =
        typeof executor === 'string'
          ? `; ${visible(executor)} ${facts['allowed'] === true ? 'may run it' : 'runs it'}`
          : '';
      const changes = changesIn(facts['amendment']);
      return `${style.green('approved')}${how}${changes.length === 0 ? '' : ' with changes'}${by}`;
    }
    case 'approved': {
      const { given, needed } = facts;
      const isCounted = typeof given === 'number' && typeof needed === 'number';
      const count = isCounted ? `, ${given} of ${needed}` : '';
      const { waitsFor, onBehalfOf } = facts;
      const part = isJsonObject(onBehalfOf) ? ` for ${visible(textOf(onBehalfOf['by']))}` : '';
      const before = isJsonArray(waitsFor) ? waitsFor.map((id) => visible(textOf(id))).join(', ') : '';
      return `${style.green('approved')}${part}${count}${before === '' ? '' : `; it runs after ${before}`}`;
    }
    case 'review_delegated': {
      const { to: delegate } = facts;
      return typeof delegate === 'string'
        ? `lets ${visible(delegate)} decide in its place`
        : 'decides itself again';
    }
    case 'countered':
      return `${style.cyan('offered something else')}  ${reasonOf(payload)}`;
    case 'counter_accepted':
      return `${style.green('accepted')} the offer of ${visible(textOf(facts['author']))}`;
    case 'renewed':
      return 'gave it more time';
    case 'answered':
      if (facts['notRun'] === true) return style.yellow('did not run it');
      return facts['outcome'] === 'ok' ? style.green('answered') : style.red('failed');
    case 'rejected':
      return `${style.red('rejected')}  ${reasonOf(payload)}`;
    case 'withdrawn':
      return `${style.yellow('withdrew it')}  ${reasonOf(payload)}`.trimEnd();
    case 'status_reported':
      return `${visible(textOf(payload['status']))}  ${visible(textOf(payload['message']))}`.trimEnd();
    default:
      return style.yellow(describeNotice(payload));
  }
}

function below({ type, facts, message }: Step, style: Style, indent: string): readonly string[] {
  if (type === 'answered') return showResult(message.payload, `${indent}│ `);
  if (type !== 'fulfilled' && type !== 'countered') return [];
  return showChanges(changesIn(facts['amendment']), style, indent);
}

function changesIn(amendment: unknown): readonly Change[] {
  return isJsonArray(amendment) ? (amendment as unknown as readonly Change[]) : [];
}
