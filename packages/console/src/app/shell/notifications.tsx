import { useEffect, useRef } from 'preact/hooks';
import { summaryOf } from '../inbox/entry.js';
import { pushedTo } from '../push/pushed.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { go } from '../state/route.js';
import { plainLine } from '../text/marked.js';
import type { WaitingList } from './waiting-list.js';

/** More than this many at once become one notification. */
const MAX_AT_ONCE = 3;

const isSupported = (): boolean => typeof Notification !== 'undefined';

/**
 * Notifies about new proposals while the user looks at something else, and removes the notification when one
 * is decided. Proposals that existed when the page was opened are not notified.
 */
export function useNotifications(space: Space, waiting: WaitingList): void {
  const isFirst = useRef(true);
  const open = useRef(new Map<string, Notification>());
  useEffect(() => {
    if (!space.proposals.isListed) return;
    const fresh = waiting.takeFresh();
    const isOld = isFirst.current;
    isFirst.current = false;
    for (const [id, notification] of open.current) {
      if (waiting.has(id)) continue;
      notification.close();
      open.current.delete(id);
    }
    // Where the gateway pushes, the service worker notifies.
    if (isOld || document.hasFocus() || pushedTo.get() !== undefined || !mayNotify()) return;
    if (fresh.length > MAX_AT_ONCE) tell(`${fresh.length} are waiting for you`, '', { view: 'inbox' });
    else
      for (const proposal of fresh) {
        const title = `${plainLine(proposal.proposer)} wants to run ${plainLine(nameOf(proposal))}`;
        open.current.set(proposal.id, tell(title, summaryOf(proposal), { view: 'inbox', item: proposal.id }));
      }
  });
  useEffect(
    () => () => {
      for (const notification of open.current.values()) notification.close();
    },
    [],
  );
}

function mayNotify(): boolean {
  return isSupported() && Notification.permission === 'granted';
}

/** A notification decides nothing: it opens the card. */
function tell(title: string, body: string, to: Parameters<typeof go>[0]): Notification {
  const notification = new Notification(title, {
    body,
    icon: '/console/icon.svg',
    tag: to.item ?? 'waiting',
  });
  notification.addEventListener('click', () => {
    window.focus();
    go(to);
    notification.close();
  });
  return notification;
}
