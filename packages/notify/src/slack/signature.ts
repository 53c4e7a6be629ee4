import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HookRequest } from '@proffer/gateway';

/** How old a signature may be, in milliseconds: an older one may be a replay. */
const OLDEST = 300_000;

/** Whether Slack sent this just now: its signature covers the time and the body, byte by byte. */
export function isFromSlack({ headers, body }: HookRequest, secret: string, now: number): boolean {
  const time = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof time !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now - Number(time) * 1_000) > OLDEST) return false;
  const expected = Buffer.from(
    `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`,
  );
  const found = Buffer.from(signature);
  return found.length === expected.length && timingSafeEqual(found, expected);
}
