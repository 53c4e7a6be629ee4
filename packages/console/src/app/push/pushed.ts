import { go, readRoute } from '../state/route.js';
import { createStore, type Store } from '../state/store.js';

/** The id of this browser among the gateway's push devices; `undefined` if it is not one. */
export const pushedTo: Store<string | undefined> = createStore<string | undefined>(undefined);

/**
 * Continues an earlier subscription of this browser: it is renewed, and a tap on a notification opens the
 * card in this page. Costs nothing without a subscription.
 *
 * @returns a function that stops it
 */
export function followPushes(token: () => string): () => void {
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker === undefined || typeof Notification === 'undefined') return () => {};
  serviceWorker.addEventListener('message', follow);
  if (Notification.permission === 'granted')
    void import('./devices.js')
      .then(({ renew }) => renew(token()))
      .then((id) => pushedTo.set(id))
      .catch(() => {});
  return () => serviceWorker.removeEventListener('message', follow);
}

function follow({ data }: MessageEvent): void {
  const { open } = (data ?? {}) as { readonly open?: unknown };
  if (typeof open !== 'string') return;
  const { pathname, search, hash } = new URL(open, location.origin);
  if (hash === '') go(readRoute(pathname + search));
  else location.hash = hash;
}
