import { createStore, type Store } from '../state/store.js';

/**
 * What is open next to the card: nothing, the editor, the reason for a counter-offer (with the editor still
 * visible), the reasons for a rejection, what to allow from now on, or to whom to delegate the review.
 */
export type Panel = 'none' | 'edit' | 'offer' | 'reject' | 'allow' | 'delegate';

export const panel: Store<Panel> = createStore<Panel>('none');

/** Whether the arguments are being edited. */
export function isEditor(open: Panel): boolean {
  return open === 'edit' || open === 'offer';
}

/** What a panel says when somebody else has decided: what was written stays, and goes nowhere. */
export const OVERTAKEN = 'This call is decided. What you wrote is still here, but it can no longer be sent.';

export function closePanel(): void {
  panel.set('none');
}
