import { isJsonArray, objectOf, quote } from '@proffer/core/json';
import { type MapTree, nearest, type Report, type Tree, treeToJson } from '@proffer/reading';
import type { JsonWebKey } from '../config.js';
import { algorithmOf } from '../fields/jwt-fields.js';
import { NEGOTIATION_KEYS } from '../fields/negotiation-fields.js';
import type { Field, VariableForm } from '../read/field.js';
import { placeInVariable } from '../read/problem.js';
import { findTree, parseYamlTree, textTree, withTree } from '../read/tree.js';
import { SCHEMA } from '../schema.js';

interface MacpVariable {
  readonly path: readonly string[];
  readonly form: VariableForm;
  /** Converts the value to the form of the key, if MACP writes it differently; `undefined` sets nothing. */
  readonly translate?: (text: string) => string | undefined;
}

const perMinute = (text: string) => (/^\d+$/.test(text) ? `${text}/min` : text);
const asSeconds = (text: string) => (/^\d+$/.test(text) ? `${text}s` : text);
const asFlag = (text: string) => (text === '1' ? 'true' : text === '0' ? 'false' : text);

const asBackend = (text: string) => (text === '1' ? 'memory' : text === '0' ? undefined : text);

const KEYS: Readonly<Record<string, MacpVariable>> = {
  MACP_BIND_ADDR: { path: ['listen', 'grpc'], form: 'text' },
  MACP_ALLOW_INSECURE: { path: ['listen', 'allow_insecure'], form: 'text', translate: asFlag },
  MACP_MEMORY_ONLY: { path: ['journal', 'backend'], form: 'text', translate: asBackend },
  MACP_DATA_DIR: { path: ['journal', 'path'], form: 'text' },
  MACP_MAX_PAYLOAD_BYTES: { path: ['limits', 'negotiation_payload_size'], form: 'text' },
  MACP_MESSAGE_LIMIT_PER_MINUTE: {
    path: ['limits', 'negotiation_messages_per_participant'],
    form: 'text',
    translate: perMinute,
  },
  MACP_SESSION_START_LIMIT_PER_MINUTE: {
    path: ['limits', 'session_starts_per_participant'],
    form: 'text',
    translate: perMinute,
  },
  MACP_AUTH_ISSUER: { path: ['jwt', 'issuer'], form: 'text' },
  MACP_AUTH_AUDIENCE: { path: ['jwt', 'audience'], form: 'text' },
  MACP_AUTH_JWKS_JSON: { path: ['jwt', 'jwks'], form: 'json' },
  MACP_AUTH_JWKS_URL: { path: ['jwt', 'jwks_url'], form: 'text' },
  MACP_AUTH_JWKS_TTL_SECS: { path: ['jwt', 'cache_for'], form: 'text', translate: asSeconds },
  MACP_AUTH_JWT_ALGS: { path: ['jwt', 'algorithms'], form: 'list' },
  MACP_TLS_CERT_PATH: { path: ['tls', 'cert'], form: 'text' },
  MACP_TLS_KEY_PATH: { path: ['tls', 'key'], form: 'text' },
  MACP_METRICS_ADDR: { path: ['listen', 'metrics'], form: 'text' },
  MACP_POLICIES_DIR: { path: ['negotiation', 'policies'], form: 'text' },
};

/** The variables with a token list, inline and as a file path. */
export const MACP_TOKENS_JSON = 'MACP_AUTH_TOKENS_JSON';
export const MACP_TOKENS_FILE = 'MACP_AUTH_TOKENS_FILE';

/** The supported environment variables of MACP runtimes. */
export const MACP_VARIABLES: readonly string[] = [...Object.keys(KEYS), MACP_TOKENS_JSON, MACP_TOKENS_FILE];

/**
 * The values of MACP runtime variables, as configuration keys, so that a gateway can replace such a runtime
 * without a file. `MACP_ALLOW_INSECURE=1` allows listeners without TLS.
 */
export function macpValues(env: EnvironmentVariables) {
  return Object.entries(KEYS).flatMap(([name, { path, form, translate }]) => {
    const written = env[name];
    if (written === undefined || written === '') return [];
    const text = translate === undefined ? written : translate(written);
    return text === undefined ? [] : [{ name, path, form, text }];
  });
}

/**
 * Whether environment variables alone say who may connect: a token list, or an issuer of JWTs. Otherwise a
 * gateway without a file would let nobody in.
 *
 * @param prefix - only variables with this prefix. Default: all
 */
export function namesCredentials(env: EnvironmentVariables, prefix = ''): boolean {
  const names = [MACP_TOKENS_JSON, MACP_TOKENS_FILE, 'MACP_AUTH_ISSUER', 'PROFFER_JWT_ISSUER'];
  return names.some((name) => name.startsWith(prefix) && (env[name] ?? '') !== '');
}

/**
 * Whether environment variables ask for a runtime that believes every name, as others do with
 * `MACP_ALLOW_INSECURE=1` and no credentials. Here that is dev mode, for this machine only. A variable that is
 * empty or misspelt shows that credentials were meant, and got lost: that must not let everybody in.
 */
export function asksForDevMode(env: EnvironmentVariables): boolean {
  if (env['MACP_ALLOW_INSECURE'] !== '1' || (env['PROFFER_DEV'] ?? '') !== '') return false;
  return variableAboutCredentials(env) === undefined;
}

/** A variable that says who may connect, or was probably meant to. */
export function variableAboutCredentials(env: EnvironmentVariables): string | undefined {
  return Object.keys(env).find((name) => env[name] !== undefined && isAboutCredentials(name));
}

const CREDENTIAL = /TOKEN|AUTH|ISSUER|AUDIENCE|JW[TK]|SECRET|CREDENTIAL|BEARER/;
const CREDENTIAL_WORDS = ['TOKEN', 'TOKENS', 'AUTH', 'ISSUER', 'AUDIENCE', 'JWT', 'JWKS'];

/** Whether a variable says who may connect, or was probably meant to. */
function isAboutCredentials(variable: string): boolean {
  const name = variable.toUpperCase();
  if (name.startsWith('PROFFER_JWT')) return true;
  const isSetting = (KEYS[name] !== undefined && !name.startsWith('MACP_AUTH_')) || MACP_ELSEWHERE.has(name);
  if (isSetting) return false;
  const hasWord = () => name.split('_').some((word) => nearest(word, CREDENTIAL_WORDS) !== undefined);
  if (name.startsWith('MACP') && (CREDENTIAL.test(name) || hasWord())) return true;
  const credentials = MACP_VARIABLES.filter((known) => known.startsWith('MACP_AUTH_'));
  return nearest(name, credentials, 3) !== undefined;
}

/** What to use here in place of a variable. */
const NOTHING = 'Proffer has no such setting; remove the variable.';
const RECEIPTS =
  'Receipts are signed with the key of the log: `proffer key --log NAME` makes one, PROFFER_EVIDENCE_KEY names its file.';
const RUNTIME_ID = 'The issuer of receipts is the name in the key of the log: `proffer key --log NAME`.';
const JOURNAL = 'Use PROFFER_JOURNAL_BACKEND and PROFFER_JOURNAL_PATH.';
const DRY_RUN =
  'A gateway with a policy file that cannot be used does not start, and names the file. Remove the variable.';
const RETENTION = 'Use PROFFER_JOURNAL_RETENTION.';
const PAGES =
  'A page has as many sessions as were asked for, or as fit into one response; remove the variable.';

/**
 * Variables of other MACP runtimes that set nothing here, and what to do instead. An operator who set one
 * expects an effect that it would not have, so each is an error.
 */
const MACP_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['MACP_STORAGE_BACKEND', JOURNAL],
  ['MACP_ROCKSDB_PATH', JOURNAL],
  ['MACP_REDIS_URL', JOURNAL],
  ['MACP_STRICT_RECOVERY', 'An unreadable journal is always an error; remove it.'],
  ['MACP_CHECKPOINT_INTERVAL', NOTHING],
  ['MACP_COMPACT_TERMINAL_LOGS', RETENTION],
  ['MACP_SESSION_RETENTION_SECS', RETENTION],
  ['MACP_SESSION_DISK_RETENTION_SECS', RETENTION],
  ['MACP_CLEANUP_INTERVAL_SECS', NOTHING],
  ['MACP_SHUTDOWN_DRAIN_SECS', 'Requests in flight always finish, within a few seconds; remove it.'],
  ['MACP_POLICIES_DRY_RUN', DRY_RUN],
  ['MACP_HTTP_BIND_ADDR', 'Use PROFFER_LISTEN_HTTP.'],
  ['MACP_HTTP_CORS_ORIGINS', 'Use PROFFER_LISTEN_ALLOWED_ORIGINS.'],
  ['MACP_HTTP_MAX_BODY_BYTES', 'Use MACP_MAX_PAYLOAD_BYTES.'],
  ['MACP_HTTP_MAX_CONNECTIONS', 'Use PROFFER_LIMITS_CONNECTIONS_PER_TOKEN.'],
  ['MACP_HTTP_PUBLIC_URL', 'The HTTP binding is at /macp/v1/ of PROFFER_LISTEN_HTTP; remove it.'],
  ['MACP_MAX_CONCURRENT_STREAMS', 'Use PROFFER_LIMITS_STREAMS_PER_TOKEN.'],
  ['MACP_CONCURRENCY_LIMIT_PER_CONNECTION', NOTHING],
  ['MACP_REQUEST_TIMEOUT_SECS', NOTHING],
  ['MACP_LIST_SESSIONS_DEFAULT_PAGE_SIZE', PAGES],
  ['MACP_LIST_SESSIONS_MAX_PAGE_SIZE', PAGES],
  ['MACP_AUDIT_LEVEL', NOTHING],
  ['MACP_AUDIT_INFO_MODES', NOTHING],
  ['MACP_AUDIT_INFO_POLICIES', NOTHING],
  ['MACP_RUNTIME_ID', RUNTIME_ID],
  ['MACP_RECEIPT_SIGNING_KEY', RECEIPTS],
  ['MACP_RECEIPT_SIGNING_KEY_PATH', RECEIPTS],
  ['MACP_RECEIPT_SIGNING_KID', RECEIPTS],
  ['MACP_RECEIPT_PUBLIC_KEYS_PATH', RECEIPTS],
]);

/** Environment variables by name, as in `process.env`. Empty ones count as unset. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** A key that an environment variable can set. */
export interface Variable {
  /** `PROFFER_` and the path of the key in capitals: `listen.http` is `PROFFER_LISTEN_HTTP`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly form: VariableForm;
}

/**
 * Every `PROFFER_` environment variable that sets a key. Lists are comma-separated texts, key sets are JSON.
 * Spaces, participants and capability lists can only be in the file.
 */
export const VARIABLES: readonly Variable[] = collect(SCHEMA, []);

function collect(from: Field<unknown>, path: readonly string[]): Variable[] {
  if (from.keys !== undefined) {
    return Array.from(from.keys).flatMap(([key, child]) => collect(child, [...path, key]));
  }
  return from.variable === 'none' ? [] : [{ name: variableName(path), path, form: from.variable }];
}

function variableName(path: readonly string[]): string {
  return `PROFFER_${path.join('_').toUpperCase()}`;
}

const BY_NAME: ReadonlyMap<string, Variable> = new Map(
  VARIABLES.map((variable) => [variable.name, variable]),
);
const SECTIONS = new Set(Array.from(SCHEMA.keys ?? [], ([key]) => variableName([key])));

/**
 * The configuration file, overridden by environment variables. Two variables for one key are a problem, and so is a
 * `PROFFER_` variable in one of the sections, or close to a known name, that sets no key; other `PROFFER_` variables
 * are for other programs. The variables of MACP runtimes that set nothing here are problems too.
 */
export function applyEnvironment(
  root: MapTree,
  env: EnvironmentVariables,
  report: Report,
  hasFile = root.entries.size > 0,
): MapTree {
  let tree = root;
  const setBy = new Map<string, string>();
  const set = (name: string, path: readonly string[], value: Tree | undefined) => {
    const key = path.join('.');
    const other = setBy.get(key);
    if (other !== undefined) {
      report(
        value?.at ?? placeInVariable(name),
        key,
        `${other} and ${name} both set this key; keep one of them.`,
      );
    }
    setBy.set(key, name);
    if (value !== undefined) tree = withTree(tree, path, value);
  };

  for (const [name, text] of Object.entries(env)) {
    if (text === undefined || text === '') continue;
    const variable = BY_NAME.get(name);
    if (variable !== undefined) set(name, variable.path, readVariable(name, text, variable.form, report));
    else reportUnknown(name, report);
  }
  for (const { name, path, form, text } of macpValues(env)) {
    if (name === MEMORY_ONLY) checkMemoryOnly(root, text, report);
    set(name, path, readVariable(name, text, form, report));
  }
  // What MACP runtimes expect if only the issuer is given.
  if (setBy.get('jwt.issuer') === 'MACP_AUTH_ISSUER' && findTree(tree, ['jwt', 'audience']) === undefined) {
    tree = withTree(tree, ['jwt', 'audience'], scalarAt('MACP_AUTH_ISSUER', 'macp-runtime'));
  }
  // Without a file there are no participants: only the issuer can say what subjects may do.
  const isForIssuer = setBy.get('jwt.issuer') === 'MACP_AUTH_ISSUER' && isAlone(root, env);
  if (isForIssuer && findTree(tree, MACP_SCOPES) === undefined) {
    const items = NEGOTIATION_KEYS.map((key) => scalarAt('MACP_AUTH_ISSUER', key));
    tree = withTree(tree, MACP_SCOPES, { kind: 'list', items, at: placeInVariable('MACP_AUTH_ISSUER') });
  }
  if (isForIssuer && findTree(tree, MAY_START) === undefined) {
    tree = withTree(tree, MAY_START, scalarAt('MACP_AUTH_ISSUER', 'true'));
  }
  if (setBy.get('jwt.jwks') === JWKS_JSON) tree = withoutSecrets(tree, report);
  if (!hasFile && asksForDevMode(env)) {
    tree = withTree(tree, ['dev'], scalarAt('MACP_ALLOW_INSECURE', 'true'));
  }
  if (isAlone(root, env) && findTree(tree, DEFAULT_POLICY) === undefined) {
    tree = withTree(tree, DEFAULT_POLICY, scalarAt('MACP_*', 'rfc-0008'));
  }
  return tree;
}

const MACP_SCOPES = ['jwt', 'unlisted_subjects', 'macp_scopes'];
const MAY_START = ['jwt', 'unlisted_subjects', 'negotiation', 'can_start_sessions'];
const ALGORITHMS = ['jwt', 'algorithms'];
const DEFAULT_POLICY = ['negotiation', 'default_policy'];
const JWKS_JSON = 'MACP_AUTH_JWKS_JSON';
const MEMORY_ONLY = 'MACP_MEMORY_ONLY';

/** Records that a file wants to keep are not lost because of a variable. */
function checkMemoryOnly(file: MapTree, backend: string, report: Report): void {
  const written = findTree(file, ['journal', 'backend']);
  if (backend !== 'memory' || written === undefined || treeToJson(written) === backend) return;
  const what = `${MEMORY_ONLY}=1 keeps nothing, but the file names another backend; keep one of them.`;
  report(placeInVariable(MEMORY_ONLY), 'journal.backend', what);
}

/** Other runtimes verify with a secret of the key set only if MACP_AUTH_JWT_ALGS names HS256. */
function withoutSecrets(tree: MapTree, report: Report): MapTree {
  const set = findTree(tree, ['jwt', 'jwks']);
  if (set === undefined || findTree(tree, ALGORITHMS) !== undefined) return tree;
  const { keys } = objectOf(treeToJson(set));
  const found = new Set(
    (isJsonArray(keys) ? keys : []).map((key) => algorithmOf(objectOf(key) as JsonWebKey)),
  );
  if (!found.has('HS256')) return tree;
  const others = [...found].filter((one) => one !== undefined && one !== 'HS256');
  if (others.length === 0) {
    const what =
      'The key set has only secrets (kty oct). Set MACP_AUTH_JWT_ALGS=HS256 if you intend to use them.';
    report(placeInVariable(JWKS_JSON), 'jwt.algorithms', what);
    return tree;
  }
  const items = others.map((one) => scalarAt(JWKS_JSON, one));
  return withTree(tree, ALGORITHMS, { kind: 'list', items, at: placeInVariable(JWKS_JSON) });
}

/** Whether only MACP variables, and no file, say who may connect: the gateway then replaces such a runtime. */
function isAlone(file: MapTree, env: EnvironmentVariables): boolean {
  if (file.entries.size > 0 || env['PROFFER_DEV'] === 'true') return false;
  return namesCredentials(env, 'MACP_') || asksForDevMode(env);
}

function readVariable(name: string, text: string, form: VariableForm, report: Report): Tree | undefined {
  if (form === 'json') return parseYamlTree(text, `$${name}`, report, 'any');
  if (form === 'text') return scalarAt(name, text);
  const items = text.split(',').map((item) => scalarAt(name, item.trim()));
  return { kind: 'list', items, at: placeInVariable(name) };
}

function scalarAt(name: string, text: string): Tree {
  return textTree(text, placeInVariable(name));
}

function reportUnknown(name: string, report: Report): void {
  const instead = MACP_ELSEWHERE.get(name);
  if (instead !== undefined) {
    report(placeInVariable(name), '', `${quote(name)} is not supported here. ${instead}`);
    return;
  }
  const known = name.startsWith('PROFFER_')
    ? [...BY_NAME.keys()]
    : name.startsWith('MACP_')
      ? MACP_VARIABLES
      : [];
  if (known.length === 0 || known.includes(name)) return;
  // Stricter than for keys: a variable of another program must not stop the gateway.
  const suggestion = nearest(name, known, 2);
  const inSection = [...SECTIONS].some((section) => name === section || name.startsWith(`${section}_`));
  if (suggestion === undefined && !inSection) return;
  const message = inSection
    ? `Unknown environment variable ${quote(name)}; spaces, participants and capabilities can only be set in the file.`
    : `Unknown environment variable ${quote(name)}.`;
  report(placeInVariable(name), '', message, suggestion);
}
