import { shortDigest } from '../text/words.js';

interface NoteFacts {
  readonly isShown: boolean;
  /** Whether there was time to look at it. */
  readonly isLooked: boolean;
  readonly share: number;
  readonly isEditing: boolean;
  readonly hasDraft: boolean;
  readonly isPaused: boolean;
  readonly isUnserved: boolean;
  readonly problems: readonly string[];
  readonly digest: string;
  readonly mayApprove: boolean;
  readonly mayReject: boolean;
  readonly isProposer: boolean;
}

/** The note next to the decision: what exactly it is for, or why it cannot be made yet. */
export function noteOf({
  isShown,
  isLooked,
  share,
  isEditing,
  hasDraft,
  isPaused,
  isUnserved,
  problems,
  digest,
  mayApprove,
  mayReject,
  isProposer,
}: NoteFacts) {
  if (isProposer) return 'You asked for this yourself; someone else must decide.';
  if (!mayApprove && !mayReject) return 'You may view this but not decide it.';
  if (!mayApprove) return 'You may reject this but not approve it.';
  if (isPaused) return 'All approvals in this space are paused.';
  if (isUnserved)
    return 'No connected server offers this tool. Approve the call once its server is connected.';
  const [problem] = problems;
  if (problem !== undefined) return `Cannot be sent yet: ${problem}.`;
  if (!isShown && isEditing) return 'Stop editing and read the rest before you approve.';
  if (!isShown)
    return (
      <>
        {seenOf(share)} <kbd aria-hidden="true">a</kbd>
      </>
    );
  if (!isLooked) return LOOK;
  return <Covers digest={digest} hasDraft={hasDraft} />;
}

/** Half a second has not passed. */
export const LOOK = 'This call has just changed: look first.';

/** What is missing before something may be approved. */
export function seenOf(share: number): string {
  return `Scroll to the end to approve (${Math.floor(share * 100)}% seen).`;
}

/** What an approval is for. */
export function Covers({ digest, hasDraft }: { readonly digest: string; readonly hasDraft?: boolean }) {
  return (
    <>
      This approval covers exactly this version (<span class="mono">{shortDigest(digest)}</span>)
      {hasDraft === true && ', without your changes'}.
    </>
  );
}
