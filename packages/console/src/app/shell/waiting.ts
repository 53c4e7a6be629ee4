import type { Proposal } from '@proffer/core/operations';
import { useEffect, useMemo } from 'preact/hooks';
import { waitingFor } from '../inbox/arrange.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';

/** What waits for this person; how much is also shown in the title of the tab and on the icon of the installed app. */
export function useWaiting(space: Space): readonly Proposal[] {
  const changes = useStore(space.changes);
  const rights = space.rights();
  const waiting = useMemo(
    () => waitingFor(space.proposals.values(), { me: space.me, rights }),
    [changes, rights],
  );
  const count = waiting.length;
  useEffect(() => {
    document.title = count === 0 ? 'Proffer' : `(${count.toLocaleString()}) Proffer`;
    if (count === 0) void navigator.clearAppBadge?.().catch(() => {});
    else void navigator.setAppBadge?.(count).catch(() => {});
  }, [count]);
  return waiting;
}
