import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '@proffer/core';
import { objectOf, quote, textOf } from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import type { HidingOptions } from '@proffer/core/secrets';
import type {
  Companion,
  CompanionContext,
  Hook,
  HookAnswer,
  HookRequest,
  ServedAddress,
  VisibleProposal,
} from '@proffer/gateway';
import { formatAddress, type GatewayConfig } from '@proffer/gateway/config';
import { Counter } from 'prom-client';
import type { Polling } from './channels/channel.js';
import { typeOf } from './channels/registry.js';
import type { DecisionAccess } from './content/notification.js';
import { type NotifierOptions, startNotifier } from './follow/notifier.js';
import { type ChannelRoute, routesOf } from './follow/route.js';
import { LINK_HOOK, linkHook } from './links/hook.js';
import { pushHook } from './push/hook.js';
import { deviceChannel, deviceRoutes, isCurrent, openPush } from './push/open-push.js';
import { openSubscriptions, type PushSubscription, type Subscriptions } from './push/subscriptions.js';
import { undeliveredHook } from './undelivered-hook.js';

/** The retry interval after a failed restart, in milliseconds. */
const RETRY = 1_000;

/** What a gateway knows about its people that is not in the configuration. */
export interface NotifyPlace {
  /** Where people reach the console, unless `notify.url` says it; else where the gateway listens. */
  readonly reachedAt?: () => ServedAddress | undefined;
  /** Whether somebody who subscribed a browser may not review any more. */
  readonly isRevoked?: (participant: string) => boolean;
}

/** Notifies people of pending proposals: as configured, and on the devices where they enabled it. */
export const notifyCompanion: Companion = (context) => notify(context, {});

/** The notifier at a gateway that people reach, or lose, in another way. */
export function notifyCompanionWith(place: NotifyPlace): Companion {
  return (context) => notify(context, place);
}

async function notify(context: CompanionContext, place: NotifyPlace): ReturnType<Companion> {
  const deliveries = new Counter({
    name: 'proffer_notifications_total',
    help: 'Attempts to send a notification, by channel and result.',
    labelNames: ['channel', 'result'],
    registers: [context.registry],
  });
  const onFault = (error: unknown): void => context.log.error({ err: error }, 'the notifier failed');
  const subscriptions = await openSubscriptions({ ...context, onFault });
  const start = (config: GatewayConfig): Promise<Running> =>
    run({ ...context, place, subscriptions, deliveries, onFault }, config);
  // A gateway that cannot notify is not ready.
  let running = await start(context.config).catch((error: unknown) => {
    subscriptions.close();
    throw error;
  });
  let reloading: Promise<void> = Promise.resolve();
  const closing = new AbortController();
  /** Tries until it succeeds: the journal may be away for a while. */
  async function restart(before: Promise<void>, config: GatewayConfig): Promise<void> {
    const { signal } = closing;
    await before;
    await running.close?.();
    running = { hooks: [] };
    while (!signal.aborted) {
      try {
        running = await start(config);
        return;
      } catch {
        await delay(RETRY, undefined, { signal }).catch(() => {});
      }
    }
  }
  /** Uses the current configuration: state must not be lost with the previous one. */
  async function answer(name: string, request: HookRequest): Promise<HookAnswer> {
    await reloading;
    const hook = running.hooks.find((one) => one.name === name);
    if (hook !== undefined) return await hook.answer(request);
    return { refused: refuse('unknown_route', `Hook ${quote(name)} no longer exists.`, { path: name }) };
  }
  return {
    hooks: () => running.hooks.map(({ name }) => ({ name, answer: (request) => answer(name, request) })),
    reload(config) {
      reloading = restart(reloading, config);
    },
    async close() {
      closing.abort();
      await reloading;
      subscriptions.close();
      await running.close?.();
    },
  };
}

/** What survives a configuration change. */
interface RunContext extends CompanionContext {
  readonly place: NotifyPlace;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Counter<'channel' | 'result'>;
  readonly onFault: (error: unknown) => void;
}

interface Running {
  readonly close?: () => Promise<void>;
  readonly hooks: readonly Hook[];
}

/** Starts it. A channel that cannot be used is only logged. Rejects if the journal cannot be read. */
async function run(context: RunContext, config: GatewayConfig): Promise<Running> {
  const { clock, log, onFault } = context;
  const { isRevoked = () => false } = context.place;
  const callbacks = channelHooks(context, config);
  try {
    const push = openPush(context, config);
    const forget = async (id: string): Promise<void> => {
      await push?.subscriptions.remove(id);
      await notifier.drop(deviceChannel(id));
    };
    const onGone = (id: string): void => void forget(id).catch(onFault);
    const routesFor = (device: PushSubscription): readonly ChannelRoute[] =>
      push === undefined ? [] : deviceRoutes(device, { ...push, config, onGone, isRevoked });
    const devices = push?.subscriptions.list() ?? [];
    const routes = [
      ...routesOf(config, (channel, participant, error) =>
        log.error(
          { err: error, channel, participant },
          'a participant is not notified: the channel cannot be used',
        ),
      ),
      ...devices.filter((device) => isCurrent(device, config, clock())).flatMap(routesFor),
    ];
    const notifier = await startNotifier({ ...following(context, config), routes, onFault });
    // Their token was revoked, or their owner is gone.
    for (const device of devices) if (!isCurrent(device, config, clock())) await forget(device.id);
    const links = linkHook({
      ...context,
      find: (key) => notifier.findLink(key),
      hiding: hidingOf(config),
      onFault,
    });
    const onAdded = async (device: PushSubscription): Promise<void> => {
      await notifier.drop(deviceChannel(device.id));
      await notifier.add(routesFor(device));
    };
    const stopWatching = push?.subscriptions.watch((change) => {
      if (change.type === 'push_removed') notifier.drop(deviceChannel(change.id)).catch(onFault);
      else if (isCurrent(change.subscription, config, clock())) onAdded(change.subscription).catch(onFault);
    });
    const failed = undeliveredHook({ ...context, undelivered: () => notifier.undelivered() });
    const pushes = push && pushHook({ ...context, push, config, onAdded, onRemoved: forget });
    const polls = [...(config.notify?.channels ?? [])].flatMap(([channel, settings]): Polling[] => {
      try {
        const findButton = (key: string) => notifier.findButton(key);
        const { decideAs } = context;
        const poll = typeOf(settings).poll?.(settings, { channel, decideAs, clock, findButton, onFault });
        return poll === undefined ? [] : [poll];
      } catch (error) {
        log.error({ err: error, channel }, 'buttons in messages do not work: a secret cannot be read');
        return [];
      }
    });
    const isBearer = config.notify?.links === 'bearer';
    const hooks = [
      ...callbacks,
      failed,
      ...(isBearer ? [links] : []),
      ...(pushes === undefined ? [] : [pushes]),
    ];
    const close = async (): Promise<void> => {
      stopWatching?.();
      await Promise.all(polls.map((poll) => poll.close()));
      await notifier.close();
    };
    return { close, hooks };
  } catch (error) {
    log.error({ err: error }, 'nobody is notified: the notifier could not be started');
    throw error;
  }
}

/** What a notifier needs besides its routes. */
function following(
  { journal, clock, log, address: ownAddress, place, deliveries, seeAs, isRemoved }: RunContext,
  config: GatewayConfig,
): Omit<NotifierOptions, 'routes' | 'onFault'> {
  const isBearer = config.notify?.links === 'bearer';
  const address = (): ServedAddress => place.reachedAt?.() ?? ownAddress;
  return {
    journal,
    clock,
    hiding: hidingOf(config),
    linkTo: (summary) => consoleLink(config, address(), summary),
    decideAt: isBearer ? (key) => decisionAt(config, address(), key) : undefined,
    lookUp: async ({ space, participant, channelName }, proposal) => {
      const credential = `notify:${channelName}`;
      const seen = await seeAs({ participant, credential, space, proposal, isUnasked: true });
      return seen.ok ? shownIn(seen.value) : undefined;
    },
    isRemoved: ({ participant, space }) => isRemoved(participant, space),
    onAttempt: ({ channelName, participant, space }, result, why) => {
      deliveries.inc({ channel: channelName.split(':')[0] ?? channelName, result });
      if (result === 'sent') return;
      const details = { channel: channelName, participant, space, why };
      if (result === 'failed') log.warn(details, 'a notification failed; it will be tried again');
      else log.error(details, 'a notification could not be delivered; it is parked');
    },
  };
}

/** The callbacks that services use when someone decides there. */
function channelHooks(context: CompanionContext, { notify }: GatewayConfig): readonly Hook[] {
  return [...(notify?.channels ?? [])].flatMap(([channel, settings]) => {
    try {
      const { decideAs, clock } = context;
      return typeOf(settings).hook?.(settings, { channel, decideAs, clock }) ?? [];
    } catch (error) {
      context.log.error({ err: error, channel }, 'buttons in messages do not work: a secret cannot be read');
      return [];
    }
  });
}

/** The console page for a proposal, or the inbox, at the configured public address. */
export function consoleLink(
  { notify }: GatewayConfig,
  address: ServedAddress,
  summary?: { readonly space: string; readonly proposal: string },
): string {
  const console = reach('console/', notify, address);
  if (summary === undefined) return console;
  return `${console}${encodeURIComponent(summary.space)}/inbox/${encodeURIComponent(summary.proposal)}`;
}

/**
 * Where a key can be used to decide. The key is only in the link's fragment, which browsers do not
 * send.
 */
function decisionAt({ notify }: GatewayConfig, address: ServedAddress, key: string): DecisionAccess {
  return {
    key,
    url: reach(`hooks/${LINK_HOOK}`, notify, address),
    link: `${reach('console/', notify, address)}#decide=${key}`,
  };
}

/** A public address of the gateway. */
function reach(path: string, notify: GatewayConfig['notify'], address: ServedAddress): string {
  const base = notify?.url ?? `${address.secure ? 'https' : 'http'}://${formatAddress(address)}`;
  return new URL(path, base.endsWith('/') ? base : `${base}/`).href;
}

/** What no notification shows. */
function hidingOf({ notify }: GatewayConfig): HidingOptions {
  return { paths: notify?.redact ?? [], detect: notify?.detectSecrets ?? true };
}

/** A message shows the call as proposed: not who rejected it since, nor what they would run instead. */
const AS_PROPOSED = 1;

/** What an approval from a message that is sent now is for (O-35); `undefined` if it would be refused. */
function shownIn({ shown }: VisibleProposal): ShownVersion | undefined {
  const { wouldRun, signed, review } = objectOf(shown['proposal']);
  // Nobody signs in a message (O-49), nor takes part in a session there (O-53).
  if (signed === true || objectOf(review)['by'] !== undefined) return undefined;
  const { name, definition, insteadOf } = objectOf(wouldRun);
  // Only somebody who sees that it would run there for the first time lets a participant in (O-26).
  if (name === undefined || insteadOf !== undefined) return undefined;
  return {
    version: AS_PROPOSED,
    executor: textOf(name),
    ...(definition === undefined ? {} : { definition: textOf(definition) }),
  };
}
