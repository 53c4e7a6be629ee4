import { useMemo, useState } from 'preact/hooks';
import { unlessTyping, useKeys } from '../keys/layers.js';
import type { Space } from '../space/space.js';
import { type Hiding, hideNumbered, NOTHING_HIDDEN } from '../text/hiding.js';

/** The values of a card that look like secrets: whether any are hidden, and how to see them. */
export interface HiddenValues {
  readonly hiding: Hiding;
  readonly isRevealed: boolean;
  /** Whether there is anything to reveal. */
  readonly has: boolean;
  /** Reveals them once it is recorded who looks, or hides them again. */
  readonly toggle: () => void;
  /** Why nothing was revealed. */
  readonly problem: string | undefined;
}

/** Hidden on every visit anew. */
export function useHiddenValues(space: Space, id: string): HiddenValues {
  const [has, setHas] = useState(false);
  const [isRevealed, setRevealed] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hidden = useMemo(() => hideNumbered(() => setHas(true)), [id]);
  async function reveal(): Promise<void> {
    setProblem(undefined);
    const sent = await space.participant.status(id, 'revealed');
    if (sent.status === 'late') throw new Error('The gateway did not record your decision. Try again.');
    setRevealed(true);
  }
  return {
    hiding: isRevealed ? NOTHING_HIDDEN : hidden,
    isRevealed,
    has,
    toggle: () => {
      if (isRevealed) return setRevealed(false);
      reveal().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    },
    problem,
  };
}

/** Says that values are hidden, with the button that reveals them. */
export function HiddenNotice({ has, isRevealed, toggle, problem }: HiddenValues) {
  useKeys({ v: has ? () => unlessTyping(toggle) : undefined });
  if (!has) return null;
  return (
    <div class="notice secrets">
      <p role="status">
        {isRevealed
          ? 'You revealed the hidden values. This is recorded.'
          : 'What looks like a secret is hidden. A decision covers the real values. Revealing them is recorded.'}
      </p>
      <button type="button" class="button" aria-keyshortcuts="v" onClick={toggle}>
        {isRevealed ? 'Hide again' : 'Reveal'} <kbd aria-hidden="true">v</kbd>
      </button>
      {problem !== undefined && (
        <p class="tone-bad" role="alert">
          Nothing was revealed, because that could not be recorded: {problem}
        </p>
      )}
    </div>
  );
}
