import { seenOf } from '../decide/note.js';
import { panel } from '../decide/panel.js';
import { Reject } from '../decide/reject.js';
import { useKeys } from '../keys/layers.js';
import { Icon } from '../shell/icon.js';
import { useStore } from '../state/store.js';
import { count } from '../text/words.js';

interface BatchBarProps {
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
  readonly onApprove: () => void;
  readonly onReject: (why: { readonly reason: string; readonly said?: string }) => void;
  readonly onNext: () => void;
}

/** One decision for all of them, each for its own digest. */
export function BatchBar(props: BatchBarProps) {
  const { size, share, named, problem, mayApprove } = props;
  const open = useStore(panel);
  const canApprove = size > 0 && share === 1 && mayApprove && problem === undefined;
  const onApprove = (): void => {
    if (canApprove) props.onApprove();
    else if (size > 0 && mayApprove) props.onReadOn();
  };
  useKeys({
    a: open === 'reject' ? undefined : ({ repeat }) => (repeat && canApprove ? undefined : onApprove()),
    r: size > 0 ? () => panel.set('reject') : undefined,
    n: props.onNext,
  });
  if (open === 'reject' && size > 0) return <Reject proposer={props.proposer} onReject={props.onReject} />;
  return (
    <footer class="bar">
      {named.length > 0 && (
        <div class="notice bad" role="alert">
          <p>Left out, because they have changed since they were shown:</p>
          <ul>
            {named.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {size === 0 ? (
        <p class="said" role="status">
          All of them are decided, or left out.
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
            <Icon name="check" /> Approve {size.toLocaleString()} <kbd aria-hidden="true">a</kbd>
          </button>
          <button type="button" class="button" aria-keyshortcuts="r" onClick={() => panel.set('reject')}>
            <Icon name="cross" /> Reject {size.toLocaleString()} <kbd aria-hidden="true">r</kbd>
          </button>
        </>
      )}
      <p class="note">
        {problem !== undefined
          ? `Cannot be sent yet: ${problem}.`
          : share === 1
            ? size === 0
              ? 'Nothing selected.'
              : `This decision covers exactly ${count(size, 'call')}, each as shown.`
            : seenOf(share)}
      </p>
      <button type="button" class="button next" aria-keyshortcuts="n" onClick={props.onNext}>
        Next <kbd aria-hidden="true">n</kbd>
      </button>
    </footer>
  );
}
