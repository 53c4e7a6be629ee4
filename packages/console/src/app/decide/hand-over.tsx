import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sayKey } from '../keys/key-note.js';
import { useKeys } from '../keys/layers.js';
import type { Space } from '../space/space.js';
import { gatewayNow } from '../state/clock.js';

const HOUR = 3_600_000;
const SPANS: readonly (readonly [words: string, span: number])[] = [
  ['for an hour', HOUR],
  ['for a day', 24 * HOUR],
  ['for a week', 7 * 24 * HOUR],
  ['for three weeks', 21 * 24 * HOUR],
];

interface HandOverProps {
  readonly space: Space;
  /** Who cannot have it: the proposer. */
  readonly except?: string;
  /** Why it cannot be handed over; the form stays as it is. */
  readonly problem?: string | undefined;
  readonly onHandOver: (to: string, until: number) => void;
  readonly onCancel: () => void;
}

/** Asks to whom to delegate reviews, and for how long (O-34). */
export function HandOver({ space, except, problem, onHandOver, onCancel }: HandOverProps) {
  const [to, setTo] = useState('');
  const [span, setSpan] = useState(String(HOUR));
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  useKeys({ Escape: onCancel });
  const names = space.participant.participants.map(({ id }) => id).filter((name) => name !== except);
  const name = to.trim();
  return (
    <form
      class="row hand-over"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem !== undefined) sayKey(problem);
        else if (name !== '') onHandOver(name, gatewayNow() + Number(span));
      }}
    >
      <input
        ref={box}
        value={to}
        list="hand-over-names"
        aria-label="Who decides in your place"
        placeholder="Who decides in your place"
        onInput={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <datalist id="hand-over-names">
        {names.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <select
        aria-label="For how long"
        value={span}
        onChange={({ currentTarget }) => setSpan(currentTarget.value)}
      >
        {SPANS.map(([words, milliseconds]) => (
          <option key={words} value={String(milliseconds)}>
            {words}
          </option>
        ))}
      </select>
      <button
        type="submit"
        class="button"
        disabled={name === '' && problem === undefined}
        aria-disabled={problem !== undefined}
      >
        Delegate
      </button>
    </form>
  );
}
