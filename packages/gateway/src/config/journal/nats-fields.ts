import { formatPath } from '@proffer/core/json';
import type { NatsLogin, NatsPlace } from '@proffer/journal/nats';
import type { MapTree, Path, Report } from '@proffer/reading';
import { type Field, listOf, optional, section, withDefault } from '../read/field.js';
import { scalar, text, wholeNumber } from '../read/scalar.js';
import { findTree, placeOf } from '../read/tree.js';

/** `journal.nats` as written. */
export interface WrittenNats {
  readonly servers: readonly string[];
  readonly stream: string;
  readonly replicas: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly nkey: string | undefined;
  readonly credentials: string | undefined;
  readonly tls: {
    readonly ca: string | undefined;
    readonly cert: string | undefined;
    readonly key: string | undefined;
  };
}

const SERVER = 'an address such as nats://127.0.0.1:4222';

const server = scalar<string>(
  (found) => (/^(?:nats|tls):\/\/[^\s/@]+$/.test(found) ? { value: found } : { expected: SERVER }),
  SERVER,
  'secret',
);

const STREAM = 'a name of letters, digits, - and _';

const stream = scalar<string>(
  (found) => (/^[\w-]{1,64}$/.test(found) ? { value: found } : { expected: STREAM }),
  STREAM,
);

const PASSWORD = 'a password';

const password = scalar<string>(
  (found) => (found === '' ? { expected: PASSWORD } : { value: found }),
  PASSWORD,
  'secret',
);

const file = () => optional(text('the path of a file'));

export const NATS: Field<WrittenNats> = section<WrittenNats>({
  servers: withDefault(listOf(server.read, 'addresses', 'list'), []),
  stream: withDefault(stream, 'proffer'),
  replicas: withDefault(wholeNumber(1, 5), 3),
  user: optional(text('a name')),
  password: optional(password),
  nkey: file(),
  credentials: file(),
  tls: section<WrittenNats['tls']>({ ca: file(), cert: file(), key: file() }),
});

/**
 * The location of a journal on NATS. Of several logins the first one counts; {@link checkNats} rejects them.
 */
export function natsPlaceOf(
  written: WrittenNats,
  resolve: (key: readonly string[], value: string) => string,
): NatsPlace {
  const { servers, stream: name, replicas } = written;
  const login = loginOf(written, resolve);
  const files = Object.entries(written.tls).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, resolve(['journal', 'nats', 'tls', key], value)] as const],
  );
  return {
    backend: 'nats',
    servers,
    stream: name,
    replicas,
    ...(login === undefined ? {} : { login }),
    ...(files.length === 0 ? {} : { tls: Object.fromEntries(files) }),
  };
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
  { user, password: secret, nkey, credentials, tls }: WrittenNats,
  root: MapTree,
  report: Report,
): void {
  const problem = (path: Path, message: string): void =>
    report(placeOf(root, path), formatPath(path), message);
  // Unreadable ones are reported separately.
  const written = findTree(root, at('servers'));
  if (written === undefined || (written.kind === 'list' && written.items.length === 0)) {
    const message =
      'The backend nats needs the addresses of its servers: set journal.nats.servers, for instance ["nats://127.0.0.1:4222"].';
    problem(['journal', 'backend'], message);
  }
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
export function natsFiles({ login, tls = {} }: NatsPlace): readonly (readonly [Path, string | undefined])[] {
  const { nkey, credentials } = { nkey: undefined, credentials: undefined, ...login };
  return [
    [at('nkey'), nkey],
    [at('credentials'), credentials],
    ...(['ca', 'cert', 'key'] as const).map((key) => [at('tls', key), tls[key]] as const),
  ];
}
