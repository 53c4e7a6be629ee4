import type { Outbox, OutboxSettings } from './outbox.js';

/**
 * When a message about something new may be sent: after the last one's digest time, and outside quiet
 * hours.
 */
export function dueTime({ sentAt }: Outbox, { digest, quietUntil }: OutboxSettings, now: number): number {
  const earliest = sentAt === 0 ? now : Math.max(now, sentAt + digest);
  return quietUntil(earliest) ?? earliest;
}
