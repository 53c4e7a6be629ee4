import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { isJsonObject, type JsonObject, objectsIn, parseJson, textOf } from '@proffer/core/json';
import { formatProblems } from '@proffer/gateway';
import type { Endpoint } from '../connection/endpoint.js';
import { type MachineFolder, readGuardsConfig } from '../guard/machine-folder.js';
import { ownCertificate } from '../share/certificate.js';
import { devicesIn } from '../share/devices.js';
import { offeredPairing } from '../share/offered-pairing.js';
import { checkChannels } from './channel-checks.js';
import { checkClock } from './gateway-checks.js';
import type { Finding } from './machine-checks.js';

/** How long a phone's way to the inbox may take, in milliseconds. */
const TIMEOUT = 10_000;
const DAY = 86_400_000;
/** A certificate that ends sooner is worth a warning, in milliseconds. */
const SOON = 14 * DAY;

/**
 * Walks the way from a notification to a decision on a phone, one link after the other: who serves phones, the address
 * that notifications lead to, its certificate, the paired devices, the channels that ring, what could not be delivered,
 * the clock.
 *
 * @param program - how the command is called
 * @param gateway - where the phones' inbox is
 */
export async function checkPhone(
  folder: MachineFolder,
  {
    program,
    now,
    gateway,
  }: { readonly program: string; readonly now: number; readonly gateway: Pick<Endpoint, 'url' | 'token'> },
): Promise<readonly Finding[]> {
  const { config, problems } = await readGuardsConfig(folder);
  if (config === undefined)
    return [{ ...bad('notify.yaml', formatProblems(problems)), remedy: 'Fix the lines named above.' }];
  const pairing = offeredPairing(folder.path);
  const at = pairing.servedAt();
  const fault = pairing.fault();
  const url = config.notify?.url ?? (at === undefined ? undefined : `https://${at.host}:${at.port}`);
  const answered = url === undefined ? undefined : await askAsPhone(url);
  const own = ownCertificate(folder.path);
  const isAnswered = answered !== undefined && 'certificate' in answered;
  return [
    at === undefined
      ? {
          ...bad('sharing', fault ?? 'No guard or hook is serving phones now.'),
          remedy:
            fault === undefined
              ? `${program} hook install AGENT --share, or guard --share; then have an agent make a call.`
              : 'Remove it, then restart whatever shares.',
        }
      : good('sharing', `Phones are served at https://${at.host}:${at.port}.`),
    ...(url === undefined ? [] : [checkAddress(url, answered, config.notify?.url !== undefined)]),
    ...(isAnswered && url !== undefined ? [checkCertificate(new URL(url).hostname, answered, now)] : []),
    ...(own !== undefined && 'unusable' in own
      ? [
          {
            ...bad('certificate', own.unusable),
            remedy: 'Replace both files, or remove them, and share again.',
          },
        ]
      : []),
    checkDevices(folder.path, program),
    ...(config.notify === undefined || config.notify.channels.size === 0
      ? [
          {
            ...warn(
              'notifications',
              'No channel is configured, so only browsers with push show notifications.',
            ),
            remedy: `Add one to notify.yaml in ${folder.path}.`,
          },
        ]
      : await checkChannels(config.notify, program)),
    ...(await checkDeliveries(gateway)),
    checkClock(isAnswered ? answered.time : undefined, now),
  ];
}

const good = (subject: string, message: string): Finding => ({ state: 'good', subject, message });
const warn = (subject: string, message: string): Finding => ({ state: 'warn', subject, message });
const bad = (subject: string, message: string): Finding => ({ state: 'bad', subject, message });

/** What answers where notifications lead to; or why nothing does. */
type Answered =
  | {
      readonly isInbox: boolean;
      readonly status: number;
      readonly certificate: X509Certificate;
      /** Whether this computer trusts it. */
      readonly isTrusted: boolean;
      /** Milliseconds since 1970. */
      readonly time?: number;
    }
  | { readonly problem: string };

/** Asks how to sign in, as the page does, whatever certificate is there. */
async function askAsPhone(url: string): Promise<Answered> {
  if (!url.startsWith('https:')) return { problem: 'The address is not https.' };
  const path = new URL('sign-in', url.endsWith('/') ? url : `${url}/`);
  const asked = request(path, {
    rejectUnauthorized: false,
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT),
  });
  asked.end();
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const socket = response.socket as TLSSocket;
    const certificate = new X509Certificate(socket.getPeerCertificate().raw);
    const isTrusted = socket.authorized;
    const time = Date.parse(response.headers.date ?? '');
    const parsed = parseJson(await text(response));
    return {
      isInbox: parsed.ok && JSON.stringify(parsed.value) === PAIRING,
      status: response.statusCode ?? 0,
      certificate,
      isTrusted,
      ...(Number.isNaN(time) ? {} : { time }),
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const PAIRING = JSON.stringify({ methods: [{ type: 'pairing' }] });

/** Whether notifications lead to the inbox. Only this computer's way there can be tried. */
function checkAddress(url: string, answered: Answered | undefined, isConfigured: boolean): Finding {
  const subject = 'address';
  const { hostname } = new URL(url);
  const remedy = isConfigured
    ? 'Set notify.url in notify.yaml to the https address that the phone uses, or remove it.'
    : 'Share again: --share ADDRESS, with one that the phone can reach.';
  if (!url.startsWith('https:'))
    return { ...bad(subject, `${url} is not https, so browsers cannot keep a key for it.`), remedy };
  if (answered === undefined || 'problem' in answered)
    return { ...bad(subject, `${url} does not answer: ${answered?.problem ?? ''}.`), remedy };
  if (!answered.isInbox)
    return {
      ...bad(subject, `${url} answers ${answered.status}, but it is not the inbox for phones.`),
      remedy,
    };
  if (hostname === 'localhost' || hostname.startsWith('127.'))
    return { ...warn(subject, `${url} reaches only this computer. A phone cannot open it.`), remedy };
  return good(
    subject,
    `Notifications link to ${url}, which answers from here. A firewall may still keep phones out.`,
  );
}

/** What browsers make of the certificate. */
function checkCertificate(
  host: string,
  { certificate, isTrusted }: Extract<Answered, { certificate: X509Certificate }>,
  now: number,
): Finding {
  const subject = 'certificate';
  const ends = Date.parse(certificate.validTo);
  const isFor = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  const remedy = 'Replace the certificate: the guide "Approve from your phone" says how.';
  if (isFor === undefined) return { ...bad(subject, `The certificate is not for ${host}.`), remedy };
  if (now >= ends || now < Date.parse(certificate.validFrom))
    return {
      ...bad(subject, `The certificate is valid from ${certificate.validFrom} to ${certificate.validTo}.`),
      remedy,
    };
  if (ends - now < SOON)
    return { ...warn(subject, `The certificate expires on ${certificate.validTo}.`), remedy };
  if (isTrusted) return good(subject, 'Trusted. Browsers allow push and installation.');
  if (certificate.checkIssued(certificate))
    return {
      ...warn(subject, 'Self-signed. Browsers ask once, and allow neither push nor installation.'),
      remedy:
        'Nothing to do if you use a notification app. Otherwise use a certificate that the phone trusts.',
    };
  const issuer = certificate.issuer.replaceAll('\n', ', ');
  return {
    ...warn(subject, `Its issuer (${issuer}) is not known to this program.`),
    remedy:
      'Nothing to do if the issuer was installed on the phone. Then browsers allow push and installation.',
  };
}

/** Notifications that a push service or another channel refused, or that did not reach it. */
async function checkDeliveries({ url, token }: Pick<Endpoint, 'url' | 'token'>): Promise<readonly Finding[]> {
  const failed = await undeliveredAt(url, token);
  return failed.map((one) => {
    // What follows is where the channel leads, such as a topic that nobody may guess.
    const [channel] = textOf(one['channel']).split(':', 1);
    const message = `Notifications to ${textOf(one['participant'])} through ${channel} are failing: ${textOf(one['why'])}.`;
    const remedy =
      'Correct the channel. If it is a browser: on the phone, press Notifications, then turn them on.';
    const state = typeof one['parkedAt'] === 'number' ? 'bad' : 'warn';
    return { state, subject: 'delivery', message, remedy };
  });
}

/** None if the gateway does not answer: that is a finding of its own. */
async function undeliveredAt(url: string, token: string): Promise<readonly JsonObject[]> {
  try {
    const answer = await fetch(`${url}/hooks/undelivered`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const parsed = parseJson(await answer.text());
    return parsed.ok && isJsonObject(parsed.value) ? objectsIn(parsed.value['undelivered']) : [];
  } catch {
    return [];
  }
}

function checkDevices(folder: string, program: string): Finding {
  const subject = 'devices';
  const devices = devicesIn(folder).list();
  const names = devices.map(({ name }) => name).join(', ');
  const pair = 'In the inbox on the computer, press Notifications, then Pair a phone.';
  if (devices.length === 0) return { ...bad(subject, 'No phone is paired.'), remedy: pair };
  const old = devices.filter(({ key }) => key === undefined).map(({ name }) => name);
  if (old.length === 0) return good(subject, `Paired: ${names}. ${program} devices lists them.`);
  return {
    ...warn(subject, `Paired by an earlier version, without a key: ${old.join(', ')}.`),
    remedy: pair,
  };
}
