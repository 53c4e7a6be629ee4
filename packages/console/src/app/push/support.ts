import { scriptUrl } from '../state/script-url.js';

/** Whether this browser supports push while no page is open, and if not, why. */
export function pushProblem(): string | undefined {
  if (!window.isSecureContext)
    return 'This page was loaded without TLS, or with a certificate that the browser does not trust. Browsers push only to https pages.';
  if (!('serviceWorker' in navigator)) return 'This browser does not support service workers.';
  if ('PushManager' in window) return undefined;
  return /iP(?:hone|ad|od)/.test(navigator.userAgent)
    ? 'On an iPhone or iPad, add the console to the home screen first, and open it from there.'
    : 'This browser does not support push.';
}

/** The service worker of this console; registered on first use. Rejects with the browser's error. */
export async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(scriptUrl('/console/sw.js'), { scope: '/console/' });
  return await navigator.serviceWorker.ready;
}
