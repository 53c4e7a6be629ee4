import { Dialog } from '../keys/dialog.js';
import { go } from '../state/route.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import type { DialogProps } from './dialog-of.js';
import { dialog } from './dialogs.js';
import { Icon } from './icon.js';
import { leave } from './leave.js';
import { isTucked, NAV_VIEWS } from './nav.js';

/** What does not fit next to the other views on a phone: the rest of them, who is signed in, and signing out. */
export function MoreDialog({ space, onClose }: DialogProps) {
  const { state } = useStore(space.status);
  return (
    <Dialog label="More" onClose={onClose}>
      <h2>More</h2>
      <ul class="more-list">
        {NAV_VIEWS.filter(({ view }) => isTucked(view)).map(({ view, title }) => (
          <li key={view}>
            <button
              type="button"
              onClick={() => {
                onClose();
                go({ view });
              }}
            >
              <Icon name={view} /> {title}
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => dialog.set('notifications')}>
            <Icon name="bell" /> Notifications
          </button>
        </li>
        <li>
          <button type="button" onClick={() => dialog.set('palette')}>
            <Icon name="search" /> Find
          </button>
        </li>
        <li>
          <button type="button" onClick={() => leave(space.token)}>
            <Icon name="out" /> Sign out
          </button>
        </li>
      </ul>
      <p class="dim">
        You are <b>{plainLine(space.me)}</b> in {plainLine(space.name)},{' '}
        {state === 'live' ? 'connected' : 'not connected'}.
      </p>
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}
