import { useState } from 'preact/hooks';

interface ActionProps {
  readonly label: string;
  readonly isMain?: boolean;
  /** Resolves when it is accepted; rejects with the reason if not. */
  readonly run: () => Promise<unknown>;
}

/** A button for an action that takes a moment, and shows its result. */
export function Action({ label, isMain = false, run }: ActionProps) {
  const [state, setState] = useState<'idle' | 'sent' | { readonly problem: string }>('idle');
  async function go(): Promise<void> {
    setState('sent');
    try {
      await run();
      setState('idle');
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return (
    <span class="action">
      <button
        type="button"
        class={isMain ? 'button go' : 'button'}
        disabled={state === 'sent'}
        onClick={() => void go()}
      >
        {state === 'sent' ? 'Sent …' : label}
      </button>
      {typeof state === 'object' && (
        <span class="tone-bad" role="alert">
          {state.problem}
        </span>
      )}
    </span>
  );
}

interface AskReasonProps {
  readonly label: string;
  readonly ask: string;
  readonly isMain?: boolean;
  readonly run: (reason: string) => Promise<unknown>;
}

/** Like `Action`, with a message, which is asked for on the first click. */
export function AskReason({ label, ask, isMain = false, run }: AskReasonProps) {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  if (!isOpen)
    return (
      <button type="button" class={isMain ? 'button go' : 'button'} onClick={() => setOpen(true)}>
        {label}
      </button>
    );
  return (
    <span class="ask-reason">
      <input
        aria-label={ask}
        placeholder={ask}
        value={words}
        ref={(input) => {
          if (words === '') input?.focus();
        }}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Action
        label={label}
        isMain={isMain}
        run={async () => {
          await run(words.trim());
          setOpen(false);
        }}
      />
      <button type="button" class="quiet" onClick={() => setOpen(false)}>
        Cancel
      </button>
    </span>
  );
}
