import { useEffect, useMemo } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { WaitingList } from './waiting-list.js';

/**
 * What waits for this user, and how many; the count is also in the tab's title and on the installed app's
 * icon.
 */
export function useWaiting(space: Space): { readonly waiting: WaitingList; readonly count: number } {
  useStore(space.changes);
  const waiting = useMemo(() => new WaitingList(space.proposals), [space]);
  useEffect(() => () => waiting.close(), [waiting]);
  const count = waiting.countFor({ me: space.me, rights: space.rights() });
  useEffect(() => {
    document.title = count === 0 ? 'Proffer' : `(${count.toLocaleString()}) Proffer`;
    if (count === 0) void navigator.clearAppBadge?.().catch(() => {});
    else void navigator.setAppBadge?.(count).catch(() => {});
  }, [count]);
  return { waiting, count };
}
