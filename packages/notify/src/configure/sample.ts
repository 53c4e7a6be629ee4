import type { Notification } from '../content/notification.js';

/** A sample notification for testing a channel. It refers to nothing that exists. */
export function sampleNotification(recipient: string, link: string, now: number): Notification {
  return {
    id: `msg_sample${now}`,
    kind: 'asked',
    recipient,
    items: [],
    title: 'This is a test from Proffer',
    text: `Notifications for ${recipient} will arrive here. This is a test; nothing is waiting for you.`,
    link,
    sentAt: now,
  };
}
