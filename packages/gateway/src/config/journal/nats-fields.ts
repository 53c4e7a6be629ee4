import { defined, formatPath } from '@proffer/core/json';
import type { AcceptUnsigned, KeySource, NatsLogin, NatsPlace } from '@proffer/journal/nats';
import type { MapTree, Path, Report } from '@proffer/reading';
import { listOf, optional, section, type ValueOf, withDefault } from '../read/field.js';
import { flag, scalar, text, textThat, wholeNumber } from '../read/scalar.js';
import { findTree, placeOf } from '../read/tree.js';

const UNSIGNED = 'none, all, or the seq of the last record that an older release wrote';

const unsigned = scalar<AcceptUnsigned>((found) => {
  if (found === 'none' || found === 'all') return { value: found };
  return /^\d{1,15}$/.test(found) ? { value: Number(found) } : { expected: UNSIGNED };
}, UNSIGNED);

const file = () => optional(text('the path of a file'));

const server = textThat(
  (found) => /^(?:nats|tls):\/\/[^\s/@]+$/.test(found),
  'an address such as nats://127.0.0.1:4222',
  'secret',
);

const stream = textThat((found) => /^[\w-]{1,64}$/.test(found), 'a name of letters, digits, - and _');

const password = textThat((found) => found !== '', 'a password', 'secret');

const keys = textThat(
  (found) => found.trim() !== '',
  'keys as `proffer key` makes them, with commas between',
  'secret',
);

/** The keys under `journal.nats`. */
export const NATS = section({
  servers: withDefault(listOf(server.read, 'addresses', 'list'), []),
  stream: withDefault(stream, 'proffer'),
  replicas: withDefault(wholeNumber(1, 5), 3),
  user: optional(text('a name')),
  password: optional(password),
  nkey: file(),
  credentials: file(),
  keyFile: file(),
  keys: optional(keys),
  acceptUnsigned: withDefault(unsigned, 'none'),
  allowInsecure: withDefault(flag(), false),
  tls: section({ ca: file(), cert: file(), key: file() }),
});

/** `journal.nats` as written. */
type WrittenNats = ValueOf<typeof NATS>;

/**
 * The location of a journal on NATS. Of several logins the first one counts; {@link checkNats} rejects them.
 */
export function natsPlaceOf(
  written: WrittenNats,
  resolve: (key: readonly string[], value: string) => string,
): NatsPlace {
  const { servers, stream: name, replicas, acceptUnsigned, allowInsecure } = written;
  const shared = keysOf(written, resolve);
  const login = loginOf(written, resolve);
  const files = Object.entries(written.tls).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, resolve(['journal', 'nats', 'tls', key], value)] as const],
  );
  return {
    backend: 'nats',
    servers,
    stream: name,
    replicas,
    ...defined({ login, keys: shared }),
    ...(acceptUnsigned === 'none' ? {} : { acceptUnsigned }),
    ...(allowInsecure ? { allowInsecure } : {}),
    ...(files.length === 0 ? {} : { tls: Object.fromEntries(files) }),
  };
}

function keysOf(
  { keys: written, keyFile }: WrittenNats,
  resolve: (key: readonly string[], value: string) => string,
): KeySource | undefined {
  if (keyFile !== undefined) return { file: resolve(['journal', 'nats', 'key_file'], keyFile) };
  return written === undefined ? undefined : { text: written };
}

function loginOf(
  { user, password: secret, nkey, credentials }: WrittenNats,
  resolve: (key: readonly string[], value: string) => string,
): NatsLogin | undefined {
  if (user !== undefined) return { user, password: secret ?? '' };
  if (nkey !== undefined) return { nkey: resolve(['journal', 'nats', 'nkey'], nkey) };
  if (credentials === undefined) return undefined;
  return { credentials: resolve(['journal', 'nats', 'credentials'], credentials) };
}

const at = (...keys: readonly string[]): Path => ['journal', 'nats', ...keys];

/** Reports conflicts between the keys of `journal.nats`. */
export function checkNats(
  { user, password: secret, nkey, credentials, keys: written, keyFile, tls }: WrittenNats,
  root: MapTree,
  report: Report,
): void {
  const problem = (path: Path, message: string): void =>
    report(placeOf(root, path), formatPath(path), message);
  // Unreadable ones are reported separately.
  const listed = findTree(root, at('servers'));
  if (listed === undefined || (listed.kind === 'list' && listed.items.length === 0)) {
    const message =
      'The backend nats needs the addresses of its servers: set journal.nats.servers, for instance ["nats://127.0.0.1:4222"].';
    problem(['journal', 'backend'], message);
  } else if (written === undefined && keyFile === undefined) {
    const message =
      'Gateways sign what they write to NATS, so that nobody else can: set journal.nats.key_file, or PROFFER_JOURNAL_NATS_KEYS. `proffer key` makes a key; give every gateway the same.';
    problem(['journal', 'nats'], message);
  }
  if (written !== undefined && keyFile !== undefined)
    problem(at('keys'), 'The keys are written in two places, keys and key_file; keep one.');
  const ways = Object.entries({ user, nkey, credentials }).filter(([, value]) => value !== undefined);
  const [, second] = ways;
  if (second !== undefined) {
    const names = ways.map(([key]) => key).join(' and ');
    problem(at(second[0]), `Several ways to log in are set, ${names}; keep one.`);
  }
  if (user !== undefined && secret === undefined) {
    problem(
      at('user'),
      'A user needs a password: set journal.nats.password, or PROFFER_JOURNAL_NATS_PASSWORD.',
    );
  }
  if (secret !== undefined && user === undefined)
    problem(at('password'), 'A password needs a user: set journal.nats.user.');
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) {
    problem(at('tls'), 'Set both cert and key, or neither.');
  }
}

/** The files named in the configuration, each with its key. */
export function natsFiles({
  login,
  keys: shared,
  tls = {},
}: NatsPlace): readonly (readonly [Path, string | undefined])[] {
  const { nkey, credentials } = { nkey: undefined, credentials: undefined, ...login };
  return [
    [at('nkey'), nkey],
    [at('credentials'), credentials],
    [at('key_file'), shared !== undefined && 'file' in shared ? shared.file : undefined],
    ...(['ca', 'cert', 'key'] as const).map((key) => [at('tls', key), tls[key]] as const),
  ];
}
