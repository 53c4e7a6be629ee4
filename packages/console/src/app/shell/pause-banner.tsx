import { useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';

/** Says that approvals are paused, and lets an operator resume them. */
export function PauseBanner({ space }: { readonly space: Space }) {
  useStore(space.changes);
  const paused = space.paused();
  return (
    <div role="status" class="banner-place">
      {paused !== undefined && (
        <p class="banner">
          <span>
            <Marked text={paused.by} /> paused all approvals in {space.name}
            {paused.reason !== undefined && (
              <>
                : <Marked text={paused.reason} />
              </>
            )}
            {endsSentence(paused.reason ?? '') ? '' : '.'}
          </span>{' '}
          {space.rights().mayResume && <Switch space={space} action="resume" />}
        </p>
      )}
    </div>
  );
}

function endsSentence(text: string): boolean {
  return /[.!?…]\s*$/.test(text);
}

/** Pauses all approvals of the space; for those who may. */
export function PauseSwitch({ space }: { readonly space: Space }) {
  if (!space.rights().mayPause || space.paused() !== undefined) return null;
  return <Switch space={space} action="pause" />;
}

function Switch({ space, action }: { readonly space: Space; readonly action: 'pause' | 'resume' }) {
  const [problem, setProblem] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  const { approvals } = space.participant;
  const send = (): void => {
    const why = reason.trim() === '' ? undefined : reason.trim();
    const sent = action === 'pause' ? approvals.pause(why) : approvals.resume();
    sent.then(
      () => setAsked(false),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  if (action === 'resume')
    return (
      <button type="button" class="button" onClick={send}>
        Resume
      </button>
    );
  if (!isAsked)
    return (
      <button type="button" class="button" onClick={() => setAsked(true)}>
        Pause all approvals …
      </button>
    );
  return (
    <form
      class="pause"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label>
        Why (everyone sees it){' '}
        <input
          value={reason}
          maxLength={1000}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button stop">
        Pause all approvals in {space.name}
      </button>
      <button type="button" class="button" onClick={() => setAsked(false)}>
        Cancel
      </button>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
