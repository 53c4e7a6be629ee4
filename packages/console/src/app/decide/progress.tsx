import { decisionOn, type Proposal, waitsFor } from '@proffer/core/operations';
import { missingApprovals } from '../card/missing-approvals.js';
import { endingOf } from '../card/state-words.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { listOf, shortDigest } from '../text/words.js';
import { type Decision, tryAgain } from './decisions.js';

interface ProgressProps {
  readonly space: Space;
  readonly proposal: Proposal;
  readonly decision: Decision | undefined;
  readonly onNext: () => void;
}

/** The state of a decision: sent, then durable; or who was first. Never shown as done before it is. */
export function Progress({ space, proposal, decision, onNext }: ProgressProps) {
  const { state } = useStore(space.status);
  const step = stepOf(proposal, decision, { me: space.me, isLive: state === 'live' });
  return (
    <div class="bar" role="status">
      <span class={`step ${step.tone}`} aria-hidden="true" />
      <p class="said">
        <b>{step.title}</b> {step.more}
      </p>
      {decision?.state === 'too late' && proposal.phase === 'pending' && (
        <button type="button" class="button" onClick={() => tryAgain(proposal.id)}>
          Decide again
        </button>
      )}
      <button type="button" class="button next" aria-keyshortcuts="n" onClick={onNext}>
        Next <kbd aria-hidden="true">n</kbd>
      </button>
    </div>
  );
}

interface Step {
  readonly title: string;
  readonly more: string;
  readonly tone: 'waiting' | 'good' | 'bad';
}

function stepOf(
  proposal: Proposal,
  decision: Decision | undefined,
  { me, isLive }: { readonly me: string; readonly isLive: boolean },
): Step {
  const { phase, fulfilment, rejections } = proposal;
  const given = decision?.what === 'approve' && proposal.approvals.some(({ by }) => by === me);
  const missing = missingApprovals(proposal);
  if (given && missing !== undefined) {
    return { title: 'You approved it.', more: `It is recorded: ${missing}.`, tone: 'good' };
  }
  if (phase === 'pending' && decision !== undefined) return pendingStep(decision, rejections.has(me), isLive);
  if (fulfilment !== undefined) {
    const { by, digest, executor = 'the executor' } = fulfilment;
    const who = by === me ? 'You approved it' : `${plainLine(by)} approved it`;
    const beaten = decision?.what === 'approve' && fulfilment.request !== decision.message;
    const first = beaten ? `${who} first; yours was not counted.` : `${who}.`;
    const { word, tone } = endingOf(proposal);
    if (phase === 'fulfilled')
      return {
        title: first,
        more: `Recorded as ${shortDigest(digest)}; ${plainLine(executor)} is running it.`,
        tone: 'waiting',
      };
    if (phase === 'allowed')
      return {
        title: first,
        more: `Allowed; ${plainLine(executor)} has not reported back.`,
        tone: 'waiting',
      };
    return { title: first, more: `It is ${word}.`, tone: tone === 'plain' ? 'waiting' : tone };
  }
  if (phase === 'approved') {
    const by = proposal.cleared?.by;
    const who = by === undefined ? 'It is approved' : `${by === me ? 'You' : plainLine(by)} approved it`;
    const others = plainLine(listOf(waitsFor(proposal)));
    return { title: `${who}.`, more: `It runs after ${others} is done.`, tone: 'waiting' };
  }
  const { word } = endingOf(proposal);
  const made = decisionOn(proposal);
  const by = made?.by === undefined ? '' : ` by ${made.by === me ? 'you' : plainLine(made.by)}`;
  const title = `It was ${word === 'expired' ? 'not decided in time' : `${word}${by}`}.`;
  return { title, more: 'Nothing ran.', tone: 'bad' };
}

function pendingStep({ what, state, problem }: Decision, isRejected: boolean, isLive: boolean): Step {
  if (what === 'reject' && (state === 'durable' || isRejected))
    return {
      title: 'You rejected it.',
      more: 'It is recorded. It stays pending until its proposer withdraws it or it expires.',
      tone: 'good',
    };
  if (state === 'too late') return { title: 'Too late.', more: 'It was no longer pending.', tone: 'bad' };
  if (problem !== undefined) return { title: 'Not confirmed.', more: problem, tone: 'waiting' };
  if (!isLive)
    return {
      title: 'Sent, not confirmed.',
      more: 'The connection was lost. It is being sent again under the same id and counts at most once.',
      tone: 'waiting',
    };
  return { title: 'Sent.', more: 'Waiting for the gateway to record it …', tone: 'waiting' };
}
