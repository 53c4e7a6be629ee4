import { renewalProblem } from '../session/session.js';
import type { Space } from '../space/space.js';
import { useNow } from '../state/clock.js';
import { useStore } from '../state/store.js';

/** Says that the connection is lost, or will be because the token could not be renewed. */
export function ConnectionBanner({ space }: { readonly space: Space }) {
  const status = useStore(space.status);
  const problem = useStore(renewalProblem);
  return (
    <div role="status" class="banner-place">
      {status.state === 'lost' && (
        <p class="banner">
          The connection to the gateway is lost. What you see may be out of date.{' '}
          <Retry at={status.retryAt} />
        </p>
      )}
      {problem !== undefined && (
        <p class="banner">
          Your sign-in could not be renewed and ends soon ({problem}). Sign out and in again to stay.
        </p>
      )}
    </div>
  );
}

function Retry({ at }: { readonly at: number }) {
  useNow(500);
  const seconds = Math.ceil((at - Date.now()) / 1_000);
  return <span aria-hidden="true">{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again …'}</span>;
}
