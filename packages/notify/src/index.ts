/// <reference types="node" preserve="true" />
export type { Channel, Delivery } from './channels/channel.js';
export { desktop } from './channels/desktop.js';
export { type DiscordSettings, discord } from './channels/discord.js';
export { type EmailSettings, email } from './channels/email.js';
export { type GotifySettings, gotify } from './channels/gotify.js';
export { type NtfySettings, ntfy } from './channels/ntfy.js';
export { CHANNEL_TYPES, openChannel } from './channels/registry.js';
export { type TeamsSettings, teams } from './channels/teams.js';
export { type TerminalSettings, terminal } from './channels/terminal.js';
export { type WebhookSettings, webhook } from './channels/webhook.js';
export { consoleLink, type NotifyPlace, notifyCompanion, notifyCompanionWith } from './companion.js';
export { sampleNotification } from './configure/sample.js';
export type { Item, Notification } from './content/notification.js';
export {
  type FoundLink,
  type Notifier,
  type NotifierOptions,
  startNotifier,
  type Undelivered,
} from './follow/notifier.js';
export type { AskedProposal, ChannelRoute } from './follow/route.js';
export type { Ended, OutboxSettings, Summary } from './outbox/outbox.js';
export { APPROVE_ACTION, type ButtonValue, REJECT_ACTION } from './slack/buttons.js';
export { type SlackSettings, slack } from './slack/channel.js';
export { type TelegramSettings, telegram } from './telegram/channel.js';
