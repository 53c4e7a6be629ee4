import { useLook } from '../decide/look.js';
import { LOOK, seenOf } from '../decide/note.js';
import { panel } from '../decide/panel.js';
import { Reject, type RejectProps } from '../decide/reject.js';
import { unlessTyping, useKeys } from '../keys/layers.js';
import { Icon } from '../shell/icon.js';
import { useStore } from '../state/store.js';
import { count } from '../text/words.js';

interface BatchBarProps {
  /** What would be decided, as it is shown. */
  readonly shown: string;
  /** How many would be decided. */
  readonly size: number;
  readonly proposer: string;
  /** How much of them was shown, from 0 to 1. */
  readonly share: number;
  /** Scrolls to the first part that was not shown yet. */
  readonly onReadOn: () => void;
  /** Calls that were skipped because they changed, with the reason. */
  readonly named: readonly string[];
  /** Why none of them can be approved now. */
  readonly problem: string | undefined;
  readonly mayApprove: boolean;
  /** What is decided, such as "the plan"; otherwise how many. */
  readonly whole?: string;
  readonly onApprove: () => void;
  readonly onReject: (why: { readonly reason: string; readonly said?: string }) => void;
  readonly onNext: () => void;
}

/** One decision for all of them, each for its own digest. */
export function BatchBar(props: BatchBarProps) {
  const { size, share, named, problem, mayApprove, whole = size.toLocaleString() } = props;
  const open = useStore(panel);
  const look = useLook(props.shown);
  const isReady = size > 0 && share === 1 && mayApprove && problem === undefined;
  const canApprove = isReady && look.isOver;
  const onApprove = (): void => {
    if (!isReady && size > 0 && mayApprove) props.onReadOn();
    if (isReady && look.decides()) props.onApprove();
  };
  const onKey = (isRepeat: boolean): void => {
    if (!isReady) return onApprove();
    if (look.decides({ isRepeat })) unlessTyping(onApprove);
  };
  const onReject: RejectProps['onReject'] = (why) => {
    if (!look.decides()) return false;
    props.onReject(why);
    return true;
  };
  useKeys({
    a: open === 'reject' ? undefined : ({ repeat }) => onKey(repeat),
    r: size > 0 ? ({ repeat }) => look.decides({ isRepeat: repeat }) && panel.set('reject') : undefined,
    n: props.onNext,
  });
  // What is being written stays when others have decided all of them meanwhile.
  if (open === 'reject') return <Reject proposer={props.proposer} isOver={size === 0} onReject={onReject} />;
  return (
    <footer class="bar">
      {named.length > 0 && (
        <div class="notice bad" role="alert">
          <p>Left out because they have changed since they were shown:</p>
          <ul>
            {named.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {size === 0 ? (
        <p class="said" role="status">
          All of them have been decided or left out.
        </p>
      ) : (
        <>
          <button
            type="button"
            class="button go"
            aria-disabled={!canApprove}
            aria-keyshortcuts="a"
            onClick={onApprove}
          >
            <Icon name="check" /> Approve {whole} <kbd aria-hidden="true">a</kbd>
          </button>
          <button type="button" class="button" aria-keyshortcuts="r" onClick={() => panel.set('reject')}>
            <Icon name="cross" /> Reject {whole} <kbd aria-hidden="true">r</kbd>
          </button>
        </>
      )}
      <p class="note">
        {problem !== undefined
          ? `Cannot be sent yet: ${problem}.`
          : share === 1
            ? size === 0
              ? 'Nothing selected.'
              : look.isOver
                ? `This decision covers exactly ${count(size, 'call')}, each as shown.`
                : LOOK
            : seenOf(share)}
      </p>
      <button type="button" class="button next" aria-keyshortcuts="n" onClick={props.onNext}>
        Next <kbd aria-hidden="true">n</kbd>
      </button>
    </footer>
  );
}
