import type { NotifyChannel, NotifyConfig, NotifyRoute } from '@proffer/gateway/config';
import type { Finding } from './machine-checks.js';

/** How long a channel may take to answer, in milliseconds. */
const TIMEOUT = 10_000;

/** Whether the configured notification channels are reachable. Sends nothing. */
export async function checkChannels(
  notify: NotifyConfig | undefined,
  name: string,
): Promise<readonly Finding[]> {
  if (notify === undefined) return [];
  const routes = [...notify.participants.values()].flat();
  return await Promise.all(
    [...notify.channels].map(async ([channel, settings]): Promise<Finding> => {
      const subject = `notify ${channel}`;
      const route = routes.find((one) => one.channel === channel);
      if (route === undefined) {
        const remedy = 'Add a route under notify.participants, or remove the channel.';
        return { state: 'warn', subject, message: 'This channel reaches nobody.', remedy };
      }
      const problem = await lookAt(settings, route);
      return problem === undefined
        ? {
            state: 'good',
            subject,
            message: `${settings.type} can be reached. ${name} notify test ${channel} sends a test notification.`,
          }
        : { state: 'bad', subject, message: problem, remedy: `Correct notify.channels.${channel}.` };
    }),
  );
}

async function lookAt(settings: NotifyChannel, route: NotifyRoute): Promise<string | undefined> {
  const { openChannel } = await import('@proffer/notify');
  try {
    return await openChannel(settings, route).check(AbortSignal.timeout(TIMEOUT));
  } catch (error) {
    // A secret is missing.
    return error instanceof Error ? error.message : String(error);
  }
}
