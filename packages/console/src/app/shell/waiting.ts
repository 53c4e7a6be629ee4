import { useEffect, useMemo } from 'preact/hooks';
import { arrange } from '../inbox/arrange.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';

/** How many proposals wait for this person; also shown in the title of the tab and on the icon of the installed app. */
export function useWaiting(space: Space): number {
  const changes = useStore(space.changes);
  const rights = space.rights();
  const { waiting } = useMemo(
    () => arrange(space.proposals.values(), { me: space.me, rights, sort: 'newest', search: '', all: false }),
    [changes, rights],
  );
  useEffect(() => {
    document.title = waiting === 0 ? 'Proffer' : `(${waiting.toLocaleString()}) Proffer`;
    if (waiting === 0) void navigator.clearAppBadge?.().catch(() => {});
    else void navigator.setAppBadge?.(waiting).catch(() => {});
  }, [waiting]);
  return waiting;
}
