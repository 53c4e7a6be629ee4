import type { Proposal } from '@proffer/core/operations';
import { sayKey } from '../keys/key-note.js';
import { unlessTyping, useKeys } from '../keys/layers.js';
import { OnDemand } from '../shell/on-demand.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { Action } from './action.js';
import { actionsOn } from './actions.js';
import { type ApprovalDetails, approve, reject, type SentDecision, tryAgain } from './decisions.js';
import type { Look } from './look.js';
import { noteOf } from './note.js';
import { OVERTAKEN, panel } from './panel.js';
import { awaitsOthers, Progress } from './progress.js';
import { Reject } from './reject.js';
import { remarks } from './remarks.js';

/** Few decisions allow more than this one call. */
const loadAllow = async () => (await import('./allow.js')).Allow;
const loadOffer = async () => (await import('./offer.js')).Offer;
const loadDelegate = async () => (await import('./delegate.js')).Delegate;

interface BarProps {
  readonly space: Space;
  readonly proposal: Proposal;
  readonly decision: SentDecision | undefined;
  readonly isUnserved: boolean;
  /** Whether the reader has had time to look at it. */
  readonly look: Look;
  /** How much of the card was shown, from 0 to 1. */
  readonly share: number;
  /** Scrolls to the first part that was not shown yet. */
  readonly onReadOn: () => void;
  readonly approval: ApprovalDetails;
  readonly isEdited: boolean;
  /** Whether there are changes: in the open editor, or set aside. */
  readonly draft: 'none' | 'open' | 'aside';
  readonly problems: readonly string[];
  /** Why the changes cannot be offered. */
  readonly offerProblem: string | undefined;
  readonly onOffer: (reason: string) => void;
  readonly onNext: () => void;
}

const offer = (): void => panel.set('offer');

/** The decision, always within reach. */
export function Bar(props: BarProps) {
  const { space, proposal, decision, isUnserved, look, share, approval, isEdited, draft, problems } = props;
  const open = useStore(panel);
  const isEditing = open === 'edit';
  const hasDraft = draft === 'aside';
  const rights = space.rights();
  const isUndecided = decision === undefined || decision.state === 'refused';
  const isOpen = proposal.phase === 'pending' && isUndecided && !awaitsOthers(proposal, space.me);
  // Somebody else decided while something was being written: the text stays where it is, and goes nowhere.
  const isOvertaken = !isOpen && decision === undefined && open !== 'none';
  const mayApprove = rights.mayApprove(proposal, approval.params);
  const mayReject = rights.mayReject(proposal);
  const mayCounter = rights.mayCounter(proposal, approval.params);
  const isShown = share === 1;
  const isPaused = space.paused() !== undefined;
  const isReady = isOpen && mayApprove && !isPaused && !isUnserved && isShown && problems.length === 0;
  const canApprove = isReady && look.isOver;

  const readOn = (): void => {
    // Keeps the draft; there is something to read below the editor.
    if (isEditing) panel.set('none');
    props.onReadOn();
  };
  const onApprove = (): void => {
    // Asks the panel itself: the page may not have been redrawn since the reject key was pressed.
    if (panel.get() === 'reject') return;
    if (isOvertaken) return sayKey(OVERTAKEN);
    if (!isReady) {
      if (isOpen && mayApprove && !isShown) readOn();
      return;
    }
    if (!look.decides()) return;
    if (decision !== undefined) tryAgain(proposal.id);
    panel.set('none');
    void approve(space, proposal, approval);
  };
  const edit = (): void => panel.set(isEditing ? 'none' : 'edit');
  const isPlain = open === 'none' || isEditing;
  const onKey = (isRepeat: boolean): void => {
    if (!isReady) return onApprove();
    // The panel as it is now: letters that follow may have opened one.
    if (look.decides({ isRepeat }) && panel.get() !== 'reject') unlessTyping(onApprove);
  };
  const opening =
    (act: () => void) =>
    ({ repeat }: KeyboardEvent): void => {
      if (look.decides({ isRepeat: repeat })) act();
    };
  useKeys({
    // A key held down scrolls on, and does not approve.
    a: isPlain && isOpen ? ({ repeat }) => onKey(repeat) : undefined,
    'mod+Enter': isEditing ? ({ repeat }) => repeat || onApprove() : undefined,
    e: isOpen && mayApprove ? opening(edit) : undefined,
    c: isOpen && mayCounter ? opening(offer) : undefined,
    r: isOpen && mayReject ? opening(() => panel.set('reject')) : undefined,
    Escape: open === 'none' ? undefined : () => panel.set('none'),
    n: props.onNext,
  });

  if (!isOpen && !isOvertaken) return <Progress {...props} />;
  const isProposer = proposal.proposer === space.me;
  const onReject = (why: { readonly reason: string; readonly said?: string }): boolean => {
    if (!look.decides()) return false;
    void reject(space, proposal, why);
    return true;
  };
  // In the same place before and after, so that the focus stays.
  const beside = isOvertaken ? <Progress {...props} isOvertaken={isEditing} /> : null;
  if (open === 'reject')
    return (
      <>
        {beside}
        <Reject proposer={proposal.proposer} isOver={isOvertaken} onReject={onReject} />
      </>
    );
  if (open === 'offer')
    return (
      <>
        {beside}
        <OnDemand
          load={loadOffer}
          props={{
            proposer: proposal.proposer,
            isProposer,
            problem: props.offerProblem,
            isOver: isOvertaken,
            onOffer: props.onOffer,
          }}
        />
      </>
    );
  if (open === 'allow')
    return (
      <>
        {beside}
        <OnDemand load={loadAllow} props={{ space, proposal }} />
      </>
    );
  if (open === 'delegate')
    return (
      <>
        {beside}
        <OnDemand load={loadDelegate} props={{ space, proposal, isOver: isOvertaken }} />
      </>
    );
  if (isOvertaken) return beside;
  return (
    <footer class="bar">
      <Remarks proposal={proposal.id} refused={decision?.problem} />
      {mayApprove && (
        <Action
          icon="check"
          isMain
          isDisabled={!canApprove}
          keyName={isEditing ? 'Ctrl ⏎' : 'a'}
          shortcut={isEditing ? 'Control+Enter' : 'a'}
          onAct={onApprove}
        >
          {isEdited ? 'Approve the changes' : 'Approve'}
        </Action>
      )}
      {isEditing && isEdited && mayCounter && (
        <Action icon="negotiations" onAct={offer}>
          Offer this instead
        </Action>
      )}
      {mayCounter && !mayApprove && (
        <Action icon="negotiations" isMain keyName="c" onAct={offer}>
          {hasDraft ? 'Continue the counter-offer' : 'Counter-offer'}
        </Action>
      )}
      {mayApprove && (
        <Action
          icon="pencil"
          isPressed={isEditing}
          keyName={isEditing ? 'Esc' : 'e'}
          shortcut={isEditing ? 'Escape' : 'e'}
          onAct={edit}
        >
          {isEditing ? 'Stop editing' : hasDraft ? 'Keep editing' : 'Edit'}
        </Action>
      )}
      {mayReject && (
        <Action icon="cross" keyName={isEditing ? undefined : 'r'} onAct={() => panel.set('reject')}>
          Reject
        </Action>
      )}
      <p id="bar-note" class="note">
        {noteOf({
          isShown,
          isLooked: look.isOver,
          share,
          isEditing,
          isPaused,
          isUnserved,
          hasDraft,
          problems,
          digest: approval.digest,
          mayApprove,
          mayReject,
          isProposer,
        })}
      </p>
      {!isEditing && (
        <More space={space} proposal={proposal} onCounter={mayCounter && mayApprove ? offer : undefined} />
      )}
    </footer>
  );
}

interface RemarksProps {
  readonly proposal: string;
  /** Why a decision was refused. */
  readonly refused: string | undefined;
}

/** The state of the last remark made here: refused, sent, or recorded. */
function Remarks({ proposal, refused }: RemarksProps) {
  const remark = useStore(remarks).get(proposal);
  const problem = refused ?? (remark?.state === 'refused' ? remark.words : undefined);
  return (
    <>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          <Marked text={problem} />
        </p>
      )}
      <p class="notice-place" role="status">
        {problem === undefined && remark !== undefined && (
          <span class={remark.state === 'durable' ? 'notice good' : 'notice'}>{remark.words}</span>
        )}
      </p>
    </>
  );
}

interface MoreProps {
  readonly space: Space;
  readonly proposal: Proposal;
  /** Begins a counter-offer, for those who may make one. */
  readonly onCounter: (() => void) | undefined;
}

/** Actions besides deciding, for those who may: offer something else, allow the same from now on, delegate the review. */
function More({ space, proposal, onCounter }: MoreProps) {
  const { allow, delegate, makeRule } = actionsOn(space, proposal);
  useKeys({ h: allow, d: delegate, m: makeRule });
  if ((onCounter ?? allow ?? delegate ?? makeRule) === undefined) return null;
  return (
    <div class="beside">
      {onCounter !== undefined && (
        <Action icon="negotiations" keyName="c" isQuiet onAct={onCounter}>
          Counter-offer
        </Action>
      )}
      {allow !== undefined && (
        <Action icon="clock" keyName="h" isQuiet onAct={allow}>
          Allow for …
        </Action>
      )}
      {delegate !== undefined && (
        <Action icon="people" keyName="d" isQuiet onAct={delegate}>
          Delegate
        </Action>
      )}
      {/* Next to the grant, if there is one. */}
      {makeRule !== undefined && allow === undefined && (
        <Action icon="rules" keyName="m" isQuiet onAct={makeRule}>
          Make a rule …
        </Action>
      )}
    </div>
  );
}
