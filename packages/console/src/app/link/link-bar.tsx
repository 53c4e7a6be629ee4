import { defined } from '@proffer/core/json';
import { useLook } from '../decide/look.js';
import { Covers, LOOK, seenOf } from '../decide/note.js';
import { panel } from '../decide/panel.js';
import { Reject } from '../decide/reject.js';
import { unlessTyping, useKeys } from '../keys/layers.js';
import { Icon } from '../shell/icon.js';
import { writeRoute } from '../state/route.js';
import { useStore } from '../state/store.js';
import type { LinkDecision, LinkQuestion } from './link-question.js';

interface LinkBarProps {
  readonly asked: LinkQuestion;
  /** How much of the card was shown, from 0 to 1. */
  readonly share: number;
  readonly isSending: boolean;
  readonly problem: string | undefined;
  readonly onReadOn: () => void;
  readonly onDecide: (decision: LinkDecision) => void;
}

/** The decision of a link. Approve waits until all of the card was visible, as everywhere. */
export function LinkBar({ asked, share, isSending, problem, onReadOn, onDecide }: LinkBarProps) {
  const { proposal, space, executor, definition, mayApprove, mayReject, signIn } = asked;
  const open = useStore(panel);
  const isShown = share === 1;
  const look = useLook(`${proposal.id} ${proposal.digest} ${executor}`);
  const approve = (): void => {
    if (!mayApprove || isSending) return;
    if (!isShown) return onReadOn();
    if (!look.decides()) return;
    onDecide({
      decision: 'approve',
      digest: proposal.digest,
      version: proposal.version,
      ...defined({ executor, definition }),
    });
  };
  const onKey = (isRepeat: boolean): void => {
    if (!isShown || !mayApprove || isSending) return approve();
    if (look.decides({ isRepeat })) unlessTyping(approve);
  };
  useKeys({
    a: open === 'reject' ? undefined : ({ repeat }) => onKey(repeat),
    r:
      mayReject && !isSending
        ? ({ repeat }) => look.decides({ isRepeat: repeat }) && panel.set('reject')
        : undefined,
  });
  if (open === 'reject' && !isSending)
    return (
      <Reject
        proposer={proposal.proposer}
        onReject={({ reason, said }) => {
          if (!look.decides()) return false;
          onDecide({ decision: 'reject', reason, ...defined({ message: said }) });
          return true;
        }}
      />
    );
  return (
    <footer class="bar">
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {mayApprove && (
        <button
          type="button"
          class="button go"
          aria-disabled={!isShown || !look.isOver || isSending}
          aria-keyshortcuts="a"
          aria-describedby="bar-note"
          onClick={approve}
        >
          <Icon name="check" />
          Approve <kbd aria-hidden="true">a</kbd>
        </button>
      )}
      {mayReject && (
        <button
          type="button"
          class="button"
          disabled={isSending}
          aria-keyshortcuts="r"
          onClick={() => panel.set('reject')}
        >
          <Icon name="cross" />
          Reject <kbd aria-hidden="true">r</kbd>
        </button>
      )}
      <a class="button" href={writeRoute({ space, view: 'inbox', item: proposal.id })}>
        <Icon name="out" />
        {mayApprove ? 'Sign in' : 'Sign in to decide'}
      </a>
      <p id="bar-note" class="note" role="status">
        {signIn ?? noteOf({ isSending, share, isLooked: look.isOver }, proposal.digest)}
      </p>
    </footer>
  );
}

function noteOf(
  { isSending, share, isLooked }: { isSending: boolean; share: number; isLooked: boolean },
  digest: string,
) {
  if (isSending) return 'Sending …';
  if (share < 1) return seenOf(share);
  return isLooked ? <Covers digest={digest} /> : LOOK;
}
