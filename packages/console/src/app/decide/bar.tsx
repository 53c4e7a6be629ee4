import type { Proposal } from '@proffer/core/operations';
import { useKeys } from '../keys/layers.js';
import { Icon } from '../shell/icon.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { type Approval, approve, type Decision, reject, tryAgain } from './decisions.js';
import { noteOf } from './note.js';
import { panel } from './panel.js';
import { Progress } from './progress.js';
import { Reject } from './reject.js';

interface BarProps {
  readonly space: Space;
  readonly proposal: Proposal;
  readonly decision: Decision | undefined;
  readonly isUnserved: boolean;
  /** How much of the card was shown, from 0 to 1. */
  readonly share: number;
  /** Scrolls to what was not shown yet. */
  readonly onReadOn: () => void;
  readonly approval: Approval;
  readonly isEdited: boolean;
  /** Whether there are changes that were put aside. */
  readonly hasDraft: boolean;
  readonly problems: readonly string[];
  readonly onNext: () => void;
}

/** The decision, always in reach. */
export function Bar(props: BarProps) {
  const { space, proposal, decision, isUnserved, share, approval, isEdited, hasDraft, problems } = props;
  const open = useStore(panel);
  const isEditing = open === 'edit';
  const rights = space.rights();
  const isOpen = proposal.phase === 'pending' && (decision === undefined || decision.state === 'refused');
  const mayApprove = rights.mayApprove(proposal, approval.params);
  const mayReject = rights.mayReject(proposal);
  const isShown = share === 1;
  const isPaused = space.paused() !== undefined;
  const canApprove = isOpen && mayApprove && !isPaused && !isUnserved && isShown && problems.length === 0;

  const readOn = (): void => {
    // What was made of it so far is kept; behind the editor there is something to read.
    if (isEditing) panel.set('none');
    props.onReadOn();
  };
  const onApprove = (): void => {
    if (!canApprove) {
      if (isOpen && mayApprove && !isShown) readOn();
      return;
    }
    if (decision !== undefined) tryAgain(proposal.id);
    panel.set('none');
    void approve(space, proposal, approval);
  };
  useKeys({
    // A key that is held down reads on, and does not approve.
    a: open === 'reject' ? undefined : ({ repeat }) => (repeat && canApprove ? undefined : onApprove()),
    'mod+Enter': isEditing ? onApprove : undefined,
    e: isOpen && mayApprove ? () => panel.set(isEditing ? 'none' : 'edit') : undefined,
    r: isOpen && mayReject ? () => panel.set('reject') : undefined,
    Escape: open === 'none' ? undefined : () => panel.set('none'),
    n: props.onNext,
  });

  if (open === 'reject' && isOpen) {
    const onReject = (why: { readonly reason: string; readonly said?: string }): void =>
      void reject(space, proposal, why);
    return <Reject proposer={proposal.proposer} onReject={onReject} />;
  }
  if (!isOpen) return <Progress {...props} />;
  if (!mayApprove && !mayReject)
    return (
      <footer class="bar">
        <p class="note">
          {proposal.proposer === space.me
            ? 'You asked for this yourself; somebody else decides.'
            : 'You may look at this, and not decide it.'}
        </p>
      </footer>
    );
  return (
    <footer class="bar">
      {decision?.state === 'refused' && (
        <p class="notice bad" role="alert">
          {decision.problem}
        </p>
      )}
      {mayApprove && (
        <button
          type="button"
          class="button go"
          aria-disabled={!canApprove}
          aria-keyshortcuts={isEditing ? 'Control+Enter' : 'a'}
          aria-describedby="bar-note"
          onClick={onApprove}
        >
          <Icon name="check" />
          {isEdited ? 'Approve the changes' : 'Approve'}{' '}
          <kbd aria-hidden="true">{isEditing ? 'Ctrl ⏎' : 'a'}</kbd>
        </button>
      )}
      {mayApprove && (
        <button
          type="button"
          class="button"
          aria-pressed={isEditing}
          aria-keyshortcuts={isEditing ? 'Escape' : 'e'}
          onClick={() => panel.set(isEditing ? 'none' : 'edit')}
        >
          <Icon name="pencil" />
          {isEditing ? 'Stop editing' : hasDraft ? 'Go on editing' : 'Edit'}{' '}
          <kbd aria-hidden="true">{isEditing ? 'Esc' : 'e'}</kbd>
        </button>
      )}
      {mayReject && (
        <button
          type="button"
          class="button"
          aria-keyshortcuts={isEditing ? undefined : 'r'}
          onClick={() => panel.set('reject')}
        >
          <Icon name="cross" />
          Reject {!isEditing && <kbd aria-hidden="true">r</kbd>}
        </button>
      )}
      <p id="bar-note" class="note">
        {noteOf({
          isShown,
          share,
          isEditing,
          isPaused,
          isUnserved,
          hasDraft,
          problems,
          digest: approval.digest,
          mayApprove,
        })}
      </p>
    </footer>
  );
}
