import { parseVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '@proffer/evidence';
import { sha256 } from '@proffer/evidence/node';
import type { ChannelTypes, OidcConfig } from './config.js';
import { capabilityList, checkListName } from './fields/capability-list.js';
import { JWT } from './fields/jwt-fields.js';
import { LIMITS } from './fields/limit-fields.js';
import { notifySection } from './fields/notify-fields.js';
import { participants, spaces } from './fields/participant-fields.js';
import { JOURNAL } from './journal/index.js';
import { address } from './read/address.js';
import { listOf, mapOf, optional, section, type ValueOf, withDefault } from './read/field.js';
import { origin } from './read/origin.js';
import { duration } from './read/quantity.js';
import { choice, flag, scalar, text } from './read/scalar.js';

const MINUTE = 60_000;

const WITNESS_KEY = 'the key of the witness, as it prints it: NAME+ID+KEY';

const WITNESS = section({
  url: text('the URL of the witness'),
  key: scalar<VerifierKey>((found) => {
    const value = parseVerifierKey(found, sha256);
    return value?.type === SIGNATURE_TYPES.witness ? { value } : { expected: WITNESS_KEY };
  }, WITNESS_KEY),
});

/** Every configuration key, for a program with these channel types. */
export const schemaFor = (channelTypes: ChannelTypes) =>
  section({
    dev: withDefault(flag(), false),
    listen: section({
      http: withDefault(address(), { host: '127.0.0.1', port: 7420 }),
      grpc: withDefault(address(), { host: '127.0.0.1', port: 50_051 }),
      metrics: withDefault(address(), 'off'),
      allowInsecure: withDefault(flag(), false),
      allowedOrigins: withDefault(listOf(origin.read, 'origins', 'list'), []),
    }),
    tls: optional(
      section({
        cert: text('the path of a PEM file'),
        key: text('the path of a PEM file'),
      }),
    ),
    journal: JOURNAL,
    evidence: optional(
      section({
        key: text('the path of a file'),
        every: withDefault(duration(1_000, 1_440 * MINUTE), MINUTE),
        public: withDefault(flag(), false),
        hideable: withDefault(flag(), false),
        witnesses: withDefault(listOf(WITNESS.read, 'witnesses'), []),
        publish: withDefault(listOf(text('a path or an http URL').read, 'paths and URLs'), []),
      }),
    ),
    spaces: optional(spaces),
    capabilities: withDefault(
      mapOf(capabilityList().read, {
        what: 'names of lists',
        check: checkListName,
      }),
      new Map(),
    ),
    participants: withDefault(participants, new Map()),
    jwt: optional(JWT),
    negotiation: section({
      defaultPolicy: withDefault(choice(['guide', 'rfc-0008']), 'guide'),
      policies: optional(text('the path of a folder')),
    }),
    limits: LIMITS,
    shutdown: section({
      notReadyFor: optional(duration(0, MINUTE)),
      timeout: withDefault(duration(100, 10 * MINUTE), 10_000),
    }),
    notify: optional(notifySection(channelTypes)),
    console: section({
      passkeyOrigins: optional(listOf(origin.read, 'origins', 'list')),
      oidc: optional(
        section<OidcConfig>({
          clientId: text('the client id of the console at the issuer'),
          scope: withDefault(text('scopes, separated by spaces'), 'openid offline_access'),
          resource: optional(text('the resource that access tokens are for')),
        }),
      ),
    }),
  });

/** The file as written, each key read separately. */
export type WrittenConfig = ValueOf<ReturnType<typeof schemaFor>>;

/** The keys that do not depend on the program: all except those of single channels. */
export const SCHEMA = schemaFor({});
