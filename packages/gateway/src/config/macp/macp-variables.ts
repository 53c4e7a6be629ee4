import type { VariableForm } from '../read/field.js';
import type { EnvironmentVariables } from './environment.js';

interface MacpVariable {
  readonly path: readonly string[];
  readonly form: VariableForm;
  /** Converts the value to the form of the key, if MACP writes it differently. */
  readonly translate?: (text: string) => string;
}

const perMinute = (text: string) => (/^\d+$/.test(text) ? `${text}/min` : text);
const asSeconds = (text: string) => (/^\d+$/.test(text) ? `${text}s` : text);
const asFlag = (text: string) => (text === '1' ? 'true' : text === '0' ? 'false' : text);

const KEYS: Readonly<Record<string, MacpVariable>> = {
  MACP_BIND_ADDR: { path: ['listen', 'grpc'], form: 'text' },
  MACP_ALLOW_INSECURE: { path: ['listen', 'allow_insecure'], form: 'text', translate: asFlag },
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
};

/** The variables with a token list, inline and as a file path. */
export const MACP_TOKENS_JSON = 'MACP_AUTH_TOKENS_JSON';
export const MACP_TOKENS_FILE = 'MACP_AUTH_TOKENS_FILE';

/** The supported environment variables of MACP runtimes. */
export const MACP_VARIABLES: readonly string[] = [...Object.keys(KEYS), MACP_TOKENS_JSON, MACP_TOKENS_FILE];

/**
 * The values of MACP runtime variables, as configuration keys, so that a gateway can replace such a runtime
 * without a file. `MACP_ALLOW_INSECURE=1` allows listeners without TLS; it lets nobody in without a
 * credential.
 */
export function macpValues(env: EnvironmentVariables) {
  return Object.entries(KEYS).flatMap(([name, { path, form, translate }]) => {
    const text = env[name];
    if (text === undefined || text === '') return [];
    return [{ name, path, form, text: translate?.(text) ?? text }];
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
