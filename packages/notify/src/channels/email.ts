import { type Secret, secret, section, text } from '@proffer/gateway/fields';
import type { Transporter } from 'nodemailer';
import type { Notification } from '../content/notification.js';
import { type Channel, type ChannelType, readSecret } from './channel.js';

export interface EmailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly server: string;
  readonly from: string;
  readonly to: string;
}

/** Sends mail in plain text and HTML, without remote content. */
export function email({ server, from, to }: EmailSettings): Channel {
  let opened: Promise<Transporter> | undefined;
  const transport = (): Promise<Transporter> => {
    opened ??= openTransport(server);
    return opened;
  };
  return {
    async check(signal) {
      try {
        await Promise.race([(await transport()).verify(), rejection(signal)]);
        return undefined;
      } catch (error) {
        return `The mail server cannot be used: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    isPrivate: true,
    // An e-mail cannot be updated, and another one about something that has ended is a nuisance.
    reportsOutcomes: false,
    async deliver(notification, signal) {
      const { id, title } = notification;
      const mail = {
        from,
        to,
        subject: title,
        text: `${notification.text}\n\nReview: ${notification.link}\n`,
        html: htmlOf(notification),
        // Mail servers drop a second message with the same id.
        messageId: `<${id}@${hostOf(from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      };
      try {
        await Promise.race([(await transport()).sendMail(mail), rejection(signal)]);
        return { ok: true };
      } catch (error) {
        const { responseCode = 0, message } = error as { responseCode?: number; message: string };
        // 5xx: the server will never accept it. A refused password can be fixed by the operator, so it is
        // retried.
        const final = responseCode >= 500 && responseCode < 600 && responseCode !== 535;
        return { ok: false, why: `The mail server did not accept the message: ${message}`, final };
      }
    },
  };
}

/** Most gateways send no mail, so the library is loaded on first use. */
async function openTransport(server: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: server,
    // A password must not cross the network in the clear.
    requireTLS: new URL(server).password !== '',
    connectionTimeout: 20_000,
    socketTimeout: 20_000,
  });
}

function htmlOf({ title, text, link, items }: Notification): string {
  const label = items.length === 1 ? 'Review this call' : 'Open the inbox';
  return `<!doctype html><html><body style="font-family:sans-serif;max-width:40em">
<h2 style="font-size:1.1em">${escape(title)}</h2>
<pre style="white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f5;padding:1em;border-radius:6px">${escape(text)}</pre>
<p><a href="${escape(link)}">${label}</a></p>
</body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function hostOf(address: string): string {
  return /@([^\s>]+)/.exec(address)?.[1] ?? 'proffer.invalid';
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
  });
}

interface EmailKeys {
  readonly server: Secret;
  readonly from: string;
}

const SERVER = 'smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before the host if it needs one';

/** `type: email`. */
export const emailChannel: ChannelType<EmailKeys> = {
  fields: section<EmailKeys>({
    server: secret(SERVER),
    from: text('an address such as Proffer <proffer@example.com>'),
  }),
  routeNeeds: { to: 'an address' },
  open: ({ server, from }, { to = '' }) => email({ server: readSecret(server), from, to }),
};
