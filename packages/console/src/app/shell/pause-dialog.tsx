import { useState } from 'preact/hooks';
import { Dialog } from '../keys/dialog.js';
import { plainLine } from '../text/marked.js';
import type { DialogProps } from './dialog-of.js';

/** The longest reason that the gateway accepts. */
const LONGEST = 1_000;

/** Asks before all approvals of the space are paused, and why. */
export function PauseDialog({ space, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSent, setSent] = useState(false);
  const name = plainLine(space.name);
  async function pause(): Promise<void> {
    setSent(true);
    setProblem(undefined);
    try {
      await space.participant.approvals.pause(reason.trim() === '' ? undefined : reason.trim());
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSent(false);
    }
  }
  return (
    <Dialog label="Pause all approvals" onClose={onClose}>
      <h2>Pause all approvals in {name}?</h2>
      <form
        class="pause"
        onSubmit={(event) => {
          event.preventDefault();
          void pause();
        }}
      >
        <p>
          Until someone resumes them, nobody can approve a call in {name}. Calls keep waiting and can still be
          rejected.
        </p>
        <label>
          Why (everyone sees it)
          <input
            value={reason}
            maxLength={LONGEST}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        <p class="row">
          <button type="submit" class="button go" disabled={isSent}>
            Pause all approvals in {name}
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
