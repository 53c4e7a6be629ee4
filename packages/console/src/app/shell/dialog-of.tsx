import { useKeys } from '../keys/layers.js';
import type { SignInSession } from '../session/session.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { closeDialog, type DialogName, dialog } from './dialogs.js';
import { type Load, OnDemand } from './on-demand.js';

/** The props of every dialog. */
export interface DialogProps {
  readonly space: Space;
  readonly session: SignInSession;
  readonly onClose: () => void;
}

/** Nobody needs a dialog to decide, so each is loaded on first use. */
const LOADED: Readonly<Record<DialogName, Load<DialogProps>>> = {
  help: async () => (await import('../keys/help.js')).Help,
  palette: async () => (await import('./find-dialog.js')).FindDialog,
  notifications: async () => (await import('../push/notifications-dialog.js')).NotificationsDialog,
  pause: async () => (await import('./pause-dialog.js')).PauseDialog,
  more: async () => (await import('./more-dialog.js')).MoreDialog,
};

/** The dialog that is open, if one is. */
export function DialogOf({ space, session }: Pick<DialogProps, 'space' | 'session'>) {
  const name = useStore(dialog);
  if (name === undefined) return null;
  return (
    <div class="dialog-place">
      <Hold />
      <OnDemand key={name} load={LOADED[name]} props={{ space, session, onClose: closeDialog }} />
    </div>
  );
}

/** Keys that are pressed while a dialog is loaded are not for the card. */
function Hold() {
  useKeys({ Escape: closeDialog }, { isModal: true });
  return null;
}
