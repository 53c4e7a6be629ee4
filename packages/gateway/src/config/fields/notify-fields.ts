import { formatPath } from '@proffer/core/json';
import { isNothing, kindOf, listed, nearest } from '@proffer/reading';
import type { NotifyChannel, NotifyConfig, NotifyRoute, PushConfig, Secret } from '../config.js';
import { type Field, field, listOf, mapOf, optional, section, withDefault } from '../read/field.js';
import { duration } from '../read/quantity.js';
import { choice, flag, scalar, text } from '../read/scalar.js';
import { checkParticipantName } from './negotiation-fields.js';
import { quietHours } from './quiet-hours.js';

const DAY = 86_400_000;
const URL_WANTED = 'an address with https or http';

const webAddress = scalar<string>((found) => {
  const url = URL.canParse(found) ? new URL(found) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? { value: found }
    : { expected: URL_WANTED };
}, URL_WANTED);

const MAIL_SERVER =
  'smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before the host if it needs one';

/** Something that nobody else may know: written here, or where to find it. */
function secret(what: string): Field<Secret> {
  const written = scalar<Secret>((found) => ({ value: { value: found } }), what, 'secret');
  const elsewhere = section<{ file: string | undefined; env: string | undefined }>({
    file: optional(text('the path of a file')),
    env: optional(text('the name of an environment variable')),
  });
  return field((tree, path, report) => {
    if (tree.kind !== 'map') return written.read(tree, path, report);
    const { file, env } = elsewhere.read(tree, path, report) ?? {};
    if (file !== undefined && env === undefined) return { file };
    if (env !== undefined && file === undefined) return { env };
    report(tree.at, formatPath(path), `Write ${what}, or { file: PATH }, or { env: NAME }.`);
    return undefined;
  });
}

type KeysOf<Type extends NotifyChannel['type']> = Omit<Extract<NotifyChannel, { type: Type }>, 'type'>;
type Variants = { readonly [Type in NotifyChannel['type']]: Field<KeysOf<Type>> };

/** The keys of each type of channel, beside `type` itself. */
const CHANNELS: Variants = {
  webhook: section<KeysOf<'webhook'>>({
    url: webAddress,
    secrets: listOf(secret('whsec_ and base64').read, 'secrets'),
  }),
  slack: section<KeysOf<'slack'>>({
    token: secret('a bot token, xoxb-…'),
    signingSecret: optional(secret('the signing secret of the Slack app')),
    users: withDefault(
      mapOf((tree, path, report) => text('the name of a participant').read(tree, path, report), {
        what: 'TEAM/USER ids',
        check: (id) => (/^T\w+\/U\w+$/.test(id) ? undefined : 'Wanted: TEAM/USER, such as T0123/U0456.'),
      }),
      new Map(),
    ),
    api: withDefault(webAddress, 'https://slack.com/api'),
  }),
  email: section<KeysOf<'email'>>({
    server: secret(MAIL_SERVER),
    from: text('an address such as Proffer <proffer@example.com>'),
  }),
  ntfy: section<KeysOf<'ntfy'>>({
    server: withDefault(webAddress, 'https://ntfy.sh'),
    token: optional(secret('an access token')),
  }),
  gotify: section<KeysOf<'gotify'>>({ server: webAddress }),
  desktop: section<object>({}),
  terminal: section<object>({}),
};

const TYPES = Object.keys(CHANNELS) as NotifyChannel['type'][];

/** One channel: its type says which keys it has. */
const channel: Field<NotifyChannel>['read'] = (tree, path, report) => {
  if (tree.kind !== 'map') {
    report(tree.at, formatPath(path), `This is ${kindOf(tree)}; wanted: a section with type and its keys.`);
    return undefined;
  }
  const { type: entry, ...rest } = Object.fromEntries(tree.entries);
  const found = entry?.value.kind === 'scalar' && !isNothing(entry.value) ? entry.value.text : '';
  const type = TYPES.find((candidate) => candidate === found);
  if (type === undefined) {
    const at = entry?.value.at ?? tree.at;
    report(at, formatPath([...path, 'type']), `Wanted: one of ${listed(TYPES)}.`, nearest(found, TYPES));
    return undefined;
  }
  const keys = CHANNELS[type].read({ ...tree, entries: new Map(Object.entries(rest)) }, path, report);
  return keys === undefined ? undefined : ({ type, ...keys } as NotifyChannel);
};

const ROUTE: Field<NotifyRoute> = section<NotifyRoute>({
  channel: text('the name of a channel'),
  to: optional(text('an address, a topic or an id, as the channel needs it')),
  token: optional(secret('the token of the application in Gotify')),
  spaces: optional(listOf((tree, path, report) => text('a space').read(tree, path, report), 'spaces')),
  when: withDefault(choice(['decidable', 'addressed', 'all']), 'decidable'),
  quiet: optional(quietHours()),
  digest: withDefault(duration(0, DAY), 60_000),
  remind: optional(duration(1_000, 30 * DAY)),
  updates: withDefault(flag(), true),
});

const SERVICE = 'an origin such as https://push.example.com, or https://*.example.com';
const CONTACT = 'mailto:ADDRESS or an address with https';

/** Where nothing is configured: the services of the browsers there are. */
export const DEFAULT_PUSH: PushConfig = {
  services: [
    'https://fcm.googleapis.com',
    'https://*.push.services.mozilla.com',
    'https://*.notify.windows.com',
    'https://*.push.apple.com',
  ],
  contact: undefined,
  keys: undefined,
  digest: 60_000,
};

const pushService = scalar<string>((found) => {
  const origin = found.replace('://*.', '://');
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
  return isOrigin && /^https?:/.test(found) ? { value: found } : { expected: SERVICE };
}, SERVICE);

const PUSH: Field<PushConfig> = section<PushConfig>({
  services: withDefault(listOf(pushService.read, 'origins', 'list'), DEFAULT_PUSH.services),
  contact: optional(
    scalar<string>(
      (found) =>
        /^(?:mailto:\S+@\S+|https:\/\/\S+)$/.test(found) ? { value: found } : { expected: CONTACT },
      CONTACT,
    ),
  ),
  keys: optional(text('the path of a file')),
  digest: withDefault(duration(0, DAY), DEFAULT_PUSH.digest),
});

/** Who is told what, and how. */
export const NOTIFY: Field<NotifyConfig> = section<NotifyConfig>({
  url: optional(webAddress),
  redact: withDefault(
    listOf((tree, path, report) => text('a path').read(tree, path, report), 'paths'),
    [],
  ),
  push: PUSH,
  links: withDefault(choice(['sign-in', 'bearer']), 'sign-in'),
  channels: withDefault(
    mapOf(channel, {
      what: 'names of channels',
      check: (name) =>
        /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)
          ? undefined
          : 'A channel is named with lower-case letters, digits, - and _, at most 64; the first is a letter or digit.',
    }),
    new Map(),
  ),
  participants: withDefault(
    mapOf(
      (tree, path, report) =>
        listOf((item, at, tell) => ROUTE.read(item, at, tell), 'routes').read(tree, path, report),
      { what: 'names of participants', check: checkParticipantName },
    ),
    new Map(),
  ),
});
