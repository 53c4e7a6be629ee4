import { awayHeaders, awayPage } from '@proffer/core/words';

/**
 * The service worker of the console: it shows what the gateway pushes, even when no page is open, and opens the card.
 * It keeps no pages: everything comes from the gateway. Only while the gateway is away, a page that is opened tries
 * again by itself.
 */

/** What the gateway pushes. */
interface Pushed {
  readonly kind: 'asked' | 'reminder' | 'ended';
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly url: string;
}

/** An open page of the console. */
interface Page {
  readonly url: string;
  readonly focused: boolean;
  focus(): Promise<unknown>;
  postMessage(message: unknown, transfer: readonly Transferable[]): void;
}

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

/** The service worker's own globals, which the DOM types lack. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: object): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(
    type: 'push',
    listener: (event: WorkerEvent & { readonly data: { json(): unknown } | null }) => void,
  ): void;
  addEventListener(
    type: 'fetch',
    listener: (
      event: WorkerEvent & { readonly request: Request; respondWith(response: Promise<Response>): void },
    ) => void,
  ): void;
  addEventListener(
    type: 'notificationclick',
    listener: (event: WorkerEvent & { readonly notification: Notification }) => void,
  ): void;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json() as Pushed));
});
worker.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(fetch(event.request).catch(answerAway));
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data as { readonly url: string };
  event.waitUntil(open(url));
});

function answerAway(): Response {
  const nonce = crypto.randomUUID();
  return new Response(awayPage(nonce), { status: 503, headers: awayHeaders(nonce) });
}

function pages(): Promise<readonly Page[]> {
  return worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

async function show({ kind, title, body, tag, url }: Pushed): Promise<void> {
  // A user who is looking at the console sees it there.
  if ((await pages()).some(({ focused }) => focused)) return;
  const isOver = kind === 'ended';
  const options = {
    body,
    tag,
    data: { url },
    icon: '/console/icon-192.png',
    badge: '/console/icon-192.png',
    // The outcome silently replaces the question.
    silent: isOver,
    renotify: !isOver,
  };
  await worker.registration.showNotification(title, options);
}

/** Opens the card: in an open page, else in a new one. */
async function open(url: string): Promise<void> {
  const [page] = await pages();
  if (page === undefined) return void (await worker.clients.openWindow(url));
  page.postMessage({ open: url }, []);
  await page.focus();
}
