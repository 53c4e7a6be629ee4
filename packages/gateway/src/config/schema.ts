import type { Capability } from '@proffer/core/capability';
import type { DefaultPolicy } from '@proffer/core/negotiation';
import type { ChannelTypes, NotifyConfig, OidcConfig } from './config.js';
import { capabilityList, checkListName } from './fields/capability-list.js';
import { JWT, type WrittenJwt } from './fields/jwt-fields.js';
import { LIMITS, type WrittenLimits } from './fields/limit-fields.js';
import { notifySection } from './fields/notify-fields.js';
import {
  participants,
  spaces,
  type WrittenParticipant,
  type WrittenSpace,
} from './fields/participant-fields.js';
import { JOURNAL, type WrittenJournal } from './journal/index.js';
import { type Address, address } from './read/address.js';
import { type Field, listOf, mapOf, optional, section, withDefault } from './read/field.js';
import { origin } from './read/origin.js';
import { duration } from './read/quantity.js';
import { choice, flag, text } from './read/scalar.js';

const MINUTE = 60_000;

/** The file as written, each key read separately. */
export interface WrittenConfig {
  readonly dev: boolean;
  readonly listen: {
    readonly http: Address | 'off';
    readonly grpc: Address | 'off';
    readonly allowInsecure: boolean;
    readonly allowedOrigins: readonly string[];
  };
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly journal: WrittenJournal;
  readonly spaces: ReadonlyMap<string, WrittenSpace> | undefined;
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly participants: ReadonlyMap<string, WrittenParticipant>;
  readonly jwt: WrittenJwt | undefined;
  readonly negotiation: { readonly defaultPolicy: DefaultPolicy };
  readonly limits: WrittenLimits;
  readonly shutdown: { readonly notReadyFor: number | undefined; readonly timeout: number };
  readonly notify: NotifyConfig | undefined;
  readonly console: { readonly oidc: OidcConfig | undefined };
}

/** Every configuration key, for a program with these channel types. */
export const schemaFor = (channelTypes: ChannelTypes): Field<WrittenConfig> =>
  section<WrittenConfig>({
    dev: withDefault(flag(), false),
    listen: section<WrittenConfig['listen']>({
      http: withDefault(address(), { host: '127.0.0.1', port: 7420 }),
      grpc: withDefault(address(), { host: '127.0.0.1', port: 50_051 }),
      allowInsecure: withDefault(flag(), false),
      allowedOrigins: withDefault(listOf(origin.read, 'origins', 'list'), []),
    }),
    tls: optional(
      section<Exclude<WrittenConfig['tls'], undefined>>({
        cert: text('the path of a PEM file'),
        key: text('the path of a PEM file'),
      }),
    ),
    journal: JOURNAL,
    spaces: optional(spaces),
    capabilities: withDefault(
      mapOf((tree, path, report) => capabilityList().read(tree, path, report), {
        what: 'names of lists',
        check: checkListName,
      }),
      new Map(),
    ),
    participants: withDefault(participants, new Map()),
    jwt: optional(JWT),
    negotiation: section<WrittenConfig['negotiation']>({
      defaultPolicy: withDefault(choice(['guide', 'rfc-0008']), 'guide'),
    }),
    limits: LIMITS,
    shutdown: section<WrittenConfig['shutdown']>({
      notReadyFor: optional(duration(0, MINUTE)),
      timeout: withDefault(duration(100, 10 * MINUTE), 10_000),
    }),
    notify: optional(notifySection(channelTypes)),
    console: section<WrittenConfig['console']>({
      oidc: optional(
        section<OidcConfig>({
          clientId: text('the client id of the console at the issuer'),
          scope: withDefault(text('scopes, separated by spaces'), 'openid offline_access'),
          resource: optional(text('the resource that access tokens are for')),
        }),
      ),
    }),
  });

/** The keys that do not depend on the program: all except those of single channels. */
export const SCHEMA = schemaFor({});
