import type { JsonObject } from '@proffer/core/json';
import { type Secret, secret, section } from '@proffer/gateway/fields';
import type { Notification } from '../content/notification.js';
import { type Channel, type ChannelType, readSecret } from './channel.js';
import { canConnect, post } from './http-post.js';

export interface TeamsSettings {
  /** The address of a workflow that posts to a channel or chat; whoever has it can post there. */
  readonly url: string;
}

/** Teams accepts 28 KB; a character takes up to four bytes. */
const MAX_TITLE = 300;
const MAX_TEXT = 5_000;

/**
 * Posts an adaptive card to Microsoft Teams, through a workflow that is started by a webhook. Such a card opens the
 * console, and cannot be changed later.
 */
export function teams({ url }: TeamsSettings): Channel {
  return {
    check: (signal) => canConnect(url, signal),
    // Others read along.
    isPrivate: false,
    reportsOutcomes: false,
    async deliver(notification, signal) {
      const posted = await post({
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(messageOf(notification)),
        signal,
        now: notification.sentAt,
      });
      if (!posted.ok) return posted;
      // Older connectors answer 200 and report the failure in the text.
      const [, failed] = /delivery failed with error: (.{0,200})/.exec(posted.text) ?? [];
      if (failed === undefined) return { ok: true };
      return { ok: false, why: `Teams answered: ${failed}`, final: /HTTP error 4(?!29)/.test(failed) };
    },
  };
}

function messageOf({ title, text, link }: Notification): JsonObject {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          // Runs of text are shown as they are; a block of text would be read as Markdown.
          body: [
            runOf(cut(title, MAX_TITLE), { weight: 'Bolder', size: 'Medium' }),
            runOf(cut(text, MAX_TEXT), { fontType: 'Monospace' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
        },
      },
    ],
  };
}

function runOf(text: string, style: JsonObject): JsonObject {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** `type: teams`. */
export const teamsChannel: ChannelType<{ readonly url: Secret }> = {
  fields: section<{ readonly url: Secret }>({ url: secret('the URL of a workflow in Teams') }),
  open: ({ url }) => teams({ url: readSecret(url) }),
};
