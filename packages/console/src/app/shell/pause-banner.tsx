import { useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { dialog } from './dialogs.js';

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
          {space.rights().mayResume && <Resume space={space} />}
        </p>
      )}
    </div>
  );
}

function endsSentence(text: string): boolean {
  return /[.!?…]\s*$/.test(text);
}

/** Opens the question whether to pause all approvals of the space; for those who may. */
export function PauseSwitch({ space }: { readonly space: Space }) {
  if (!space.rights().mayPause || space.paused() !== undefined) return null;
  return (
    <button type="button" class="button" onClick={() => dialog.set('pause')}>
      Pause all approvals …
    </button>
  );
}

function Resume({ space }: { readonly space: Space }) {
  const [problem, setProblem] = useState<string>();
  const resume = (): void =>
    void space.participant.approvals
      .resume()
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  return (
    <>
      <button type="button" class="button" onClick={resume}>
        Resume
      </button>
      {problem !== undefined && <span> {problem}</span>}
    </>
  );
}
