import { createStore, type Store } from '../state/store.js';

/** The dialogs that can be opened from anywhere. */
export type DialogName = 'help' | 'palette' | 'notifications' | 'pause' | 'more';

/** The open one; `undefined` if none is. */
export const dialog: Store<DialogName | undefined> = createStore<DialogName | undefined>(undefined);

export function closeDialog(): void {
  dialog.set(undefined);
}
