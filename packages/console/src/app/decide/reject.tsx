import { defined } from '@proffer/core/json';
import { REASONS } from '@proffer/core/words';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sayKey } from '../keys/key-note.js';
import { useKeys } from '../keys/layers.js';
import { plainLine } from '../text/marked.js';
import { OVERTAKEN, panel } from './panel.js';

/** The reasons with a key of their own; the rest is for agents, or is said in words. */
const USUAL = ['unsafe', 'disagree', 'invalid', 'policy', 'duplicate', 'busy'] as const;

/** The longest reason that the gateway accepts (O-17). */
const LONGEST = 1_000;

export interface RejectProps {
  readonly proposer: string;
  /** Whether somebody else has decided: nothing can be sent any more. Default false. */
  readonly isOver?: boolean;
  /** False if nothing is sent. */
  readonly onReject: (why: { readonly reason: string; readonly said?: string }) => boolean;
}

/** Rejects with one of the usual reasons, with one key, or with a custom message. */
export function Reject({ proposer, isOver = false, onReject }: RejectProps) {
  const [words, setWords] = useState('');
  const first = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const send = (reason: string, said?: string): void => {
    if (isOver) return sayKey(OVERTAKEN);
    if (onReject({ reason, ...defined({ said }) })) panel.set('none');
  };
  const own = words.trim();
  const sendUsual = (reason: string): void => send(reason, own === '' ? undefined : own);
  const usual = USUAL.map((reason, index) => [String(index + 1), () => sendUsual(reason)]);
  useKeys({ ...Object.fromEntries(usual), Escape: () => panel.set('none') }, { field });
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <footer class="bar reject" role="group" aria-label="Why are you rejecting this call?">
      <p class="why">
        <b>Reject, because …</b>
        <button type="button" class="quiet" onClick={() => panel.set('none')}>
          Cancel <kbd aria-hidden="true">Esc</kbd>
        </button>
      </p>
      <div class="reasons">
        {USUAL.map((reason, index) => (
          <button
            key={reason}
            ref={index === 0 ? first : null}
            type="button"
            class="button"
            aria-disabled={isOver}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => sendUsual(reason)}
          >
            <kbd aria-hidden="true">{index + 1}</kbd> {REASONS[reason]}
          </button>
        ))}
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (own !== '') send('other', own);
        }}
      >
        <input
          ref={field}
          value={words}
          maxLength={LONGEST}
          aria-label="In your own words"
          placeholder={`In your own words, for ${plainLine(proposer)}`}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <button type="submit" class="button" disabled={own === '' && !isOver} aria-disabled={isOver}>
          Reject
        </button>
      </form>
      {isOver && <p class="note">{OVERTAKEN}</p>}
    </footer>
  );
}
