import { canConnect } from './can-connect.js';
import type { Channel } from './channel.js';
import { post } from './http-post.js';

export interface NtfySettings {
  /** Such as https://ntfy.example. */
  readonly server: string;
  readonly topic: string;
  readonly token?: string;
}

/** Publishes to an ntfy topic. Its actions open the page that decides; nothing is decided by pressing one. */
export function ntfy({ server, topic, token }: NtfySettings): Channel {
  return {
    check: (signal) => canConnect(server, signal),
    tellsEndings: true,
    async deliver({ id, kind, title, text, link, sentAt }, signal) {
      const posted = await post({
        url: server,
        signal,
        now: sentAt,
        headers: {
          'content-type': 'application/json',
          'x-proffer-id': id,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({
          topic,
          title,
          message: text,
          click: link,
          tags: [kind === 'ended' ? 'white_check_mark' : 'raised_hand'],
          priority: PRIORITY[kind],
          ...(kind === 'ended'
            ? {}
            : { actions: [{ action: 'view', label: 'Review', url: link, clear: true }] }),
        }),
      });
      return posted.ok ? { ok: true } : posted;
    },
  };
}

const PRIORITY = { asked: 3, reminder: 4, ended: 2 } as const;
