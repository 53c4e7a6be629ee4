/// <reference types="node" preserve="true" />
export type { Channel, Delivery } from './channels/channel.js';
export { desktop } from './channels/desktop.js';
export { type DiscordSettings, discord } from './channels/discord.js';
export { type EmailSettings, email } from './channels/email.js';
export { type GotifySettings, gotify } from './channels/gotify.js';
export { type NtfySettings, ntfy } from './channels/ntfy.js';
export { CHANNEL_TYPES, openChannel } from './channels/registry.js';
export {
  APPROVE_ACTION,
  type ButtonValue,
  REJECT_ACTION,
  type SlackSettings,
  slack,
} from './channels/slack.js';
export { type TeamsSettings, teams } from './channels/teams.js';
export { type TelegramSettings, telegram } from './channels/telegram.js';
export { type TerminalSettings, terminal } from './channels/terminal.js';
export { type WebhookSettings, webhook } from './channels/webhook.js';
export { consoleLink, type NotifyPlace, notifyCompanion, notifyCompanionWith } from './companion.js';
export { type Item, type Notification, sampleNotification } from './content/notification.js';
export {
  type FoundLink,
  type Notifier,
  type NotifierOptions,
  startNotifier,
  type Undelivered,
} from './follow/notifier.js';
export type { AskedProposal, ChannelRoute } from './follow/route.js';
export type { Ended, OutboxSettings, Summary } from './outbox/outbox.js';
