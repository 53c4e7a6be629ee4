import { createStore, type Store } from '../state/store.js';

/** What is open beside the card: nothing, the editor, or the reasons for a rejection. */
export type Panel = 'none' | 'edit' | 'reject';

export const panel: Store<Panel> = createStore<Panel>('none');
