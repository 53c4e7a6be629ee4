import type { NotifyChannel, NotifyRoute } from '@proffer/gateway/config';
import type { Channel } from '../channels/channel.js';
import { desktop } from '../channels/desktop.js';
import { email } from '../channels/email.js';
import { gotify } from '../channels/gotify.js';
import { ntfy } from '../channels/ntfy.js';
import { slack } from '../channels/slack.js';
import { type TerminalSettings, terminal } from '../channels/terminal.js';
import { webhook } from '../channels/webhook.js';
import { readSecret } from './secret.js';

/** Makes a channel for one person. Throws, in words, when a secret is not where it should be. */
export function openChannel(
  settings: NotifyChannel,
  { to = '', token }: Pick<NotifyRoute, 'to' | 'token'>,
  screen: TerminalSettings = { write: (text) => process.stderr.write(text), isTTY: process.stderr.isTTY },
): Channel {
  switch (settings.type) {
    case 'webhook':
      return webhook({ url: settings.url, secrets: settings.secrets.map(readSecret) });
    case 'slack': {
      const { api, signingSecret } = settings;
      return slack({ token: readSecret(settings.token), to, api, interactive: signingSecret !== undefined });
    }
    case 'email':
      return email({ server: readSecret(settings.server), from: settings.from, to });
    case 'ntfy': {
      const { server } = settings;
      return ntfy({
        server,
        topic: to,
        ...(settings.token === undefined ? {} : { token: readSecret(settings.token) }),
      });
    }
    case 'gotify':
      return gotify({ server: settings.server, token: token === undefined ? '' : readSecret(token) });
    case 'desktop':
      return desktop();
    case 'terminal':
      return terminal(screen);
    default:
      return settings satisfies never;
  }
}
