import type { NotifyChannel, NotifyRoute } from '@proffer/gateway/config';
import type { Channel, ChannelType } from './channel.js';
import { desktopChannel } from './desktop.js';
import { discordChannel } from './discord.js';
import { emailChannel } from './email.js';
import { gotifyChannel } from './gotify.js';
import { ntfyChannel } from './ntfy.js';
import { slackChannel } from './slack.js';
import { teamsChannel } from './teams.js';
import { telegramChannel } from './telegram.js';
import { terminalChannel } from './terminal.js';
import { webhookChannel } from './webhook.js';

/** All channel types, by the `type` used in the configuration. */
export const CHANNEL_TYPES: Readonly<Record<string, ChannelType<object>>> = {
  webhook: webhookChannel,
  slack: slackChannel,
  telegram: telegramChannel,
  discord: discordChannel,
  teams: teamsChannel,
  email: emailChannel,
  ntfy: ntfyChannel,
  gotify: gotifyChannel,
  desktop: desktopChannel,
  terminal: terminalChannel,
};

/**
 * The type of a configured channel.
 *
 * @throws Error for one that is not in {@link CHANNEL_TYPES}
 */
export function typeOf({ type }: NotifyChannel): ChannelType<object> {
  const found = CHANNEL_TYPES[type];
  if (found === undefined) throw new Error(`Unknown channel type ${type}.`);
  return found;
}

/** Opens a channel to one person. Throws an error for the operator if a secret is missing. */
export function openChannel(settings: NotifyChannel, route: Pick<NotifyRoute, 'to' | 'token'>): Channel {
  return typeOf(settings).open(settings, route);
}
