import { loopbackConfig, startGateway } from '@proffer/gateway';
import type { Journal, JournalPlace } from '@proffer/journal';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { CHANNEL_TYPES } from '../channels/registry.js';
import { notifyCompanion } from '../companion.js';

/**
 * A notifying gateway in this process, which is stopped after the test.
 *
 * @param journal - where it is, or an open one
 */
export async function startNotifyingHere(
  journal: JournalPlace | Journal,
  yaml: string,
  clock: () => number = Date.now,
) {
  const config = loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES });
  const started = await startGateway({
    ...('append' in journal ? { config, journal } : { config: { ...config, journal } }),
    log: pino({ level: 'silent' }),
    companions: [notifyCompanion],
    clock,
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const gateway = started.value;
  onTestFinished(() => gateway.close());
  const url = `http://127.0.0.1:${gateway.address.port}`;
  return {
    gateway,
    url,
    /** Posts to one of its paths. */
    post: async (path: string, token: string | undefined, body: object) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
    },
  };
}
