import {
  type Companion,
  type CompanionContext,
  formatAddress,
  type Hook,
  type ServedAddress,
} from '@proffer/gateway';
import type { GatewayConfig } from '@proffer/gateway/config';
import { Counter } from 'prom-client';
import { routesOf } from './configure/routes.js';
import { readSecret } from './configure/secret.js';
import type { DecisionAccess } from './content/notification.js';
import { type FoundLink, type Notifier, startNotifier } from './follow/notifier.js';
import { LINK_HOOK, linkHook } from './links/hook.js';
import { slackHook } from './slack/hook.js';

/** Tells people what waits for them, as the configuration says. */
export const notifyCompanion: Companion = async (context) => {
  const deliveries = new Counter({
    name: 'proffer_notifications_total',
    help: 'Attempts to notify somebody, by channel and by how they went.',
    labelNames: ['channel', 'result'],
    registers: [context.registry],
  });
  let notifier = await start(context, context.config, deliveries);
  const find = async (key: string): Promise<FoundLink | undefined> => await notifier?.findLink(key);
  let hooks = hooksFor(context, context.config);
  let reloading: Promise<void> = Promise.resolve();
  function hooksFor(given: CompanionContext, config: GatewayConfig): readonly Hook[] {
    const links = linkHook({ ...given, find, redacted: config.notify?.redact ?? [] });
    return [...slackHooks(given, config), ...(config.notify?.links === 'bearer' ? [links] : [])];
  }
  async function restart(before: Promise<void>, config: GatewayConfig): Promise<void> {
    await before;
    await notifier?.close();
    notifier = await start(context, config, deliveries);
    hooks = hooksFor(context, config);
  }
  return {
    hooks: () => hooks,
    reload(config) {
      reloading = restart(reloading, config);
    },
    async close() {
      await reloading;
      await notifier?.close();
    },
  };
};

/** Starts it; nothing when nobody is to be told. What is wrong is logged: a gateway without it is better than none. */
async function start(
  { journal, clock, log, address }: CompanionContext,
  config: GatewayConfig,
  deliveries: Counter<'channel' | 'result'>,
): Promise<Notifier | undefined> {
  try {
    const routes = routesOf(config, (channel, participant, error) =>
      log.error({ err: error, channel, participant }, 'somebody is not notified: the channel cannot be used'),
    );
    if (routes.length === 0) return undefined;
    return await startNotifier({
      journal,
      routes,
      redacted: config.notify?.redact ?? [],
      linkTo: (summary) => consoleLink(config, address, summary),
      decideAt: config.notify?.links === 'bearer' ? (key) => decisionAt(config, address, key) : undefined,
      clock,
      onAttempt: ({ channelName, participant, space }, result, why) => {
        deliveries.inc({ channel: channelName.split(':')[0] ?? channelName, result });
        if (result === 'sent') return;
        const details = { channel: channelName, participant, space, why };
        if (result === 'failed') log.warn(details, 'a notification failed; it will be tried again');
        else log.error(details, 'a notification could not be delivered; it is parked');
      },
      onFault: (error) => log.error({ err: error }, 'the notifier failed'),
    });
  } catch (error) {
    log.error({ err: error }, 'nobody is notified: the notifier could not be started');
    return undefined;
  }
}

/** Where Slack calls back: `POST /hooks/slack-CHANNEL`, for channels that have a signing secret. */
function slackHooks({ decideAs, clock, log }: CompanionContext, { notify }: GatewayConfig): readonly Hook[] {
  return [...(notify?.channels ?? [])].flatMap(([channel, settings]) => {
    if (settings.type !== 'slack' || settings.signingSecret === undefined) return [];
    try {
      const signingSecret = readSecret(settings.signingSecret);
      return [slackHook({ name: `slack-${channel}`, signingSecret, users: settings.users, decideAs, clock })];
    } catch (error) {
      log.error({ err: error, channel }, 'buttons in Slack do not work: the signing secret cannot be read');
      return [];
    }
  });
}

/** The page of the console that shows a proposal, or the inbox: where the configuration says that people reach it. */
export function consoleLink(
  { notify }: GatewayConfig,
  address: ServedAddress,
  summary?: { readonly space: string; readonly proposal: string },
): string {
  const console = reach('console/', notify, address);
  if (summary === undefined) return console;
  return `${console}${encodeURIComponent(summary.space)}/inbox/${encodeURIComponent(summary.proposal)}`;
}

/** Where a key decides. It is in the fragment of the link, which browsers send to nobody, and in no address. */
function decisionAt({ notify }: GatewayConfig, address: ServedAddress, key: string): DecisionAccess {
  return {
    key,
    url: reach(`hooks/${LINK_HOOK}`, notify, address),
    link: `${reach('console/', notify, address)}#decide=${key}`,
  };
}

/** An address of the gateway as people reach it. */
function reach(path: string, notify: GatewayConfig['notify'], address: ServedAddress): string {
  const base = notify?.url ?? `${address.secure ? 'https' : 'http'}://${formatAddress(address)}`;
  return new URL(path, base.endsWith('/') ? base : `${base}/`).href;
}
