import { formatPath } from '@proffer/core/json';
import { isNothing, kindOf, listed, nearest, type ValueReader } from '@proffer/reading';
import type { ChannelTypes, NotifyChannel, NotifyConfig, NotifyRoute, PushConfig } from '../config.js';
import { webAddress } from '../read/address.js';
import { type Field, listOf, mapOf, optional, section, withDefault } from '../read/field.js';
import { duration } from '../read/quantity.js';
import { choice, flag, scalar, text, textThat } from '../read/scalar.js';
import { secret } from '../read/secret.js';
import { checkParticipantName } from './negotiation-fields.js';

/** A time of day at which someone does not want to be disturbed, in a time zone. */
export interface QuietHours {
  /** Minutes since midnight. `from` after `to`: over midnight. */
  readonly from: number;
  readonly to: number;
  /** An IANA name such as `Europe/Berlin`. */
  readonly zone: string;
}

const EXPECTED = 'hours such as 22:00-07:00, followed by a time zone such as Europe/Berlin (default UTC)';

/** Hours of the day, such as `22:00-07:00 Europe/Berlin`. */
export function quietHours(): Field<QuietHours> {
  return scalar((found) => {
    const value = parseQuietHours(found);
    return value === undefined ? { expected: EXPECTED } : { value };
  }, EXPECTED);
}

function parseQuietHours(text: string): QuietHours | undefined {
  const found = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})(?: +(\S+))?$/.exec(text.trim());
  if (found === null) return undefined;
  const [hour = 0, minute = 0, untilHour = 0, untilMinute = 0] = found.slice(1, 5).map(Number);
  if (hour > 23 || untilHour > 23 || minute > 59 || untilMinute > 59) return undefined;
  const zone = found[5] ?? 'UTC';
  const quiet = { from: hour * 60 + minute, to: untilHour * 60 + untilMinute, zone };
  return quiet.from === quiet.to || !isZone(zone) ? undefined : quiet;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const DAY = 86_400_000;
/** One channel: its type says which keys it has. */
function channelOf(types: ChannelTypes): ValueReader<NotifyChannel> {
  const names = Object.keys(types);
  return (tree, path, report) => {
    if (tree.kind !== 'map') {
      report(
        tree.at,
        formatPath(path),
        `This is ${kindOf(tree)}; expected a section with type and its keys.`,
      );
      return undefined;
    }
    const { type: entry, ...rest } = Object.fromEntries(tree.entries);
    const type = entry?.value.kind === 'scalar' && !isNothing(entry.value) ? entry.value.text : '';
    const known = Object.hasOwn(types, type) ? types[type] : undefined;
    if (known === undefined) {
      const at = entry?.value.at ?? tree.at;
      const wanted =
        names.length === 0 ? 'This program has no channels.' : `Expected one of ${listed(names)}.`;
      report(at, formatPath([...path, 'type']), wanted, nearest(type, names));
      return undefined;
    }
    const keys = known.fields.read({ ...tree, entries: new Map(Object.entries(rest)) }, path, report);
    return keys === undefined ? undefined : { type, ...keys };
  };
}

const ROUTE: Field<NotifyRoute> = section<NotifyRoute>({
  channel: text('the name of a channel'),
  to: optional(text('an address, a topic or an id, as the channel needs it')),
  token: optional(secret('the token of the application in Gotify')),
  spaces: optional(listOf(text('a space').read, 'spaces')),
  when: withDefault(choice(['decidable', 'addressed', 'all']), 'decidable'),
  quiet: optional(quietHours()),
  digest: withDefault(duration(0, DAY), 60_000),
  remind: optional(duration(1_000, 30 * DAY)),
  updates: withDefault(flag(), true),
});

/** The default: the push services of the known browsers. */
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

const pushService = textThat((found) => {
  const origin = found.replace('://*.', '://');
  return /^https?:/.test(found) && URL.canParse(origin) && new URL(origin).origin === origin;
}, 'an origin such as https://push.example.com, or https://*.example.com');

const contact = textThat(
  (found) => /^(?:mailto:\S+@\S+|https:\/\/\S+)$/.test(found),
  'mailto:ADDRESS or an https URL',
);

const PUSH: Field<PushConfig> = section<PushConfig>({
  services: withDefault(listOf(pushService.read, 'origins', 'list'), DEFAULT_PUSH.services),
  contact: optional(contact),
  keys: optional(text('the path of a file')),
  digest: withDefault(duration(0, DAY), DEFAULT_PUSH.digest),
});

/**
 * Who is notified of what, and how.
 *
 * @param types - the available channel types
 */
export const notifySection = (types: ChannelTypes): Field<NotifyConfig> =>
  section<NotifyConfig>({
    url: optional(webAddress),
    redact: withDefault(listOf(text('a path').read, 'paths'), []),
    detectSecrets: withDefault(flag(), true),
    push: PUSH,
    links: withDefault(choice(['sign-in', 'bearer']), 'sign-in'),
    channels: withDefault(
      mapOf(channelOf(types), {
        what: 'names of channels',
        check: (name) =>
          /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)
            ? undefined
            : 'A channel name has at most 64 lower-case letters, digits, - and _, and starts with a letter or digit.',
      }),
      new Map(),
    ),
    participants: withDefault(
      mapOf(listOf(ROUTE.read, 'routes').read, {
        what: 'names of participants',
        check: checkParticipantName,
      }),
      new Map(),
    ),
  });
