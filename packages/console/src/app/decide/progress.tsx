import { approvalProgress } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import {
  describeAfterRejection,
  describeDecision,
  describeDependencies,
  describeProgress,
  describeResult,
  describeState,
  subject,
} from '@proffer/core/words';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { voiceFor } from '../text/voice.js';
import { shortDigest } from '../text/words.js';
import { type SentDecision, tryAgain } from './decisions.js';
import { closePanel, OVERTAKEN } from './panel.js';
import { sendRemark } from './remarks.js';

interface ProgressProps {
  readonly space: Space;
  readonly proposal: Proposal;
  readonly decision: SentDecision | undefined;
  readonly onNext: () => void;
  /** Whether somebody else decided while the arguments were being edited. Default false. */
  readonly isOvertaken?: boolean;
}

/** The state of a decision: sent, then durable; or who was first. Never shown as done before it is. */
export function Progress({ space, proposal, decision, onNext, isOvertaken = false }: ProgressProps) {
  const { state } = useStore(space.status);
  const step = stepOf(proposal, decision, { me: space.me, isLive: state === 'live' });
  return (
    <div class="bar" role="status">
      <span class={`step ${step.tone}`} aria-hidden="true" />
      <p class="said">
        <b>{step.title}</b> {step.more}
        {isOvertaken && ` ${OVERTAKEN}`}
      </p>
      {isOvertaken && (
        <button type="button" class="button" onClick={closePanel}>
          Stop editing <kbd aria-hidden="true">Esc</kbd>
        </button>
      )}
      {isCounted(proposal, space.me) && (
        <button type="button" class="button" onClick={() => takeBack(space, proposal.id)}>
          Take back
        </button>
      )}
      {proposal.phase === 'pending' && (decision?.state === 'too late' || isEnough(proposal)) && (
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

/** Whether this person's approval is recorded, and others have to approve, too. */
export function awaitsOthers(proposal: Proposal, me: string): boolean {
  return isCounted(proposal, me) && !isEnough(proposal);
}

/** Whether the policy needs no more approvals than there are: then any approver can approve again (O-28). */
function isEnough(proposal: Proposal): boolean {
  const progress = approvalProgress(proposal);
  return progress === undefined ? proposal.approvals.length > 0 : progress.given >= progress.needed;
}

/** Whether this person's approval still waits for others: then it can be taken back (O-29). */
function isCounted({ phase, approvals }: Proposal, me: string): boolean {
  return phase === 'pending' && approvals.some(({ by }) => by === me);
}

function takeBack(space: Space, id: string): void {
  void sendRemark(id, 'You took back your approval. This call stays pending.', () =>
    space.participant.takeBack(id),
  ).then((isRecorded) => isRecorded && tryAgain(id));
}

/** The policy was relaxed, which runs nothing by itself. */
const ENOUGH = 'This call has not run. The policy now needs no further approvals: approve again to run it.';

interface Step {
  readonly title: string;
  readonly more: string;
  readonly tone: 'waiting' | 'good' | 'bad';
}

function stepOf(
  proposal: Proposal,
  decision: SentDecision | undefined,
  { me, isLive }: { readonly me: string; readonly isLive: boolean },
): Step {
  const { phase, fulfilment } = proposal;
  const voice = voiceFor(me);
  const given = decision?.what !== 'reject' && isCounted(proposal, me);
  const progress = approvalProgress(proposal);
  if (given) {
    const isCounting = progress !== undefined && !isEnough(proposal);
    const more = isCounting ? `Your approval is recorded: ${describeProgress(progress, voice)}.` : ENOUGH;
    return { title: 'You approved this call.', more, tone: 'good' };
  }
  if (phase === 'pending' && decision !== undefined) return pendingStep(proposal, decision, { me, isLive });
  const title = describeDecision(proposal, voice) ?? '';
  const { tone } = describeState(proposal);
  if (fulfilment !== undefined) {
    const { digest, executor, request } = fulfilment;
    const beaten = decision?.what === 'approve' && request !== decision.message;
    const late = beaten ? 'Your approval came too late and was not counted. ' : '';
    const runs = executor === undefined ? '' : ` ${subject(executor, voice)} is running it.`;
    if (phase === 'fulfilled')
      return { title, more: `${late}Recorded as ${shortDigest(digest)}.${runs}`, tone: 'waiting' };
    return { title, more: `${late}${describeResult(proposal)}`, tone: tone === 'plain' ? 'waiting' : tone };
  }
  if (phase === 'approved') {
    const [others] = describeDependencies(proposal, voice);
    return { title, more: others === undefined ? '' : `It ${others}.`, tone: 'waiting' };
  }
  return { title, more: describeResult(proposal), tone: 'bad' };
}

function pendingStep(
  proposal: Proposal,
  { what, state, problem }: SentDecision,
  { me, isLive }: { readonly me: string; readonly isLive: boolean },
): Step {
  if (what === 'reject' && (state === 'durable' || proposal.rejections.has(me)))
    return {
      title: 'You rejected this call.',
      more: describeAfterRejection(proposal, voiceFor(me)),
      tone: 'good',
    };
  if (state === 'too late')
    return { title: 'Too late.', more: 'This call was no longer pending.', tone: 'bad' };
  if (problem !== undefined) return { title: 'Not confirmed.', more: problem, tone: 'waiting' };
  if (!isLive)
    return {
      title: 'Sent, not confirmed.',
      more: 'The connection was lost. Your decision is being sent again under the same id and counts at most once.',
      tone: 'waiting',
    };
  return { title: 'Sent.', more: 'Waiting for the gateway to record it …', tone: 'waiting' };
}
