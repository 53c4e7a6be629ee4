import { section, webAddress } from '@proffer/gateway/fields';
import { type Channel, type ChannelType, readSecret } from './channel.js';
import { canConnect, post } from './http-post.js';

export interface GotifySettings {
  /** Such as https://gotify.example. */
  readonly server: string;
  /** The token of the application in Gotify. */
  readonly token: string;
}

/** Sends to a Gotify server; tapping the notification opens the decision page. */
export function gotify({ server, token }: GotifySettings): Channel {
  return {
    check: (signal) => canConnect(server, signal),
    isPrivate: true,
    reportsOutcomes: true,
    async deliver({ id, kind, title, text, link, sentAt }, signal) {
      const posted = await post({
        url: new URL('message', server.endsWith('/') ? server : `${server}/`).href,
        signal,
        now: sentAt,
        headers: { 'content-type': 'application/json', 'x-gotify-key': token },
        body: JSON.stringify({
          title,
          message: text,
          priority: kind === 'ended' ? 2 : 5,
          extras: { 'client::notification': { click: { url: link } }, 'proffer::message': { id } },
        }),
      });
      return posted.ok ? { ok: true } : posted;
    },
  };
}

/** `type: gotify`. Each application in Gotify has its own token, so it is part of the route. */
export const gotifyChannel: ChannelType<Pick<GotifySettings, 'server'>> = {
  fields: section<Pick<GotifySettings, 'server'>>({ server: webAddress }),
  routeNeeds: { token: 'the token of the application' },
  open: ({ server }, { token }) => gotify({ server, token: token === undefined ? '' : readSecret(token) }),
};
