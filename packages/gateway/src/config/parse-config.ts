import { dirname, isAbsolute, join } from 'node:path';
import { type Capability, mayAct } from '@proffer/core/capability';
import { defined, type JsonObject } from '@proffer/core/json';
import { type SpaceSettings, spaceSettings } from '@proffer/core/operations';
import { createReport, type MapTree, type Problem, type Report, treeOfJson } from '@proffer/reading';
import { checkConfig, checkEntry } from './check-config.js';
import type {
  ChannelTypes,
  ClaimGrant,
  GatewayConfig,
  LimitsConfig,
  NegotiationConfig,
  NotifyConfig,
  ParticipantConfig,
  TokenConfig,
  UnlistedSubjects,
} from './config.js';
import { devParticipants } from './dev-participants.js';
import { type CapabilityList, resolveGrant } from './fields/capability-list.js';
import { completeJwt } from './fields/jwt-fields.js';
import { DEFAULT_LIMITS, DEV_LIMITS } from './fields/limit-fields.js';
import { completeFlags } from './fields/negotiation-fields.js';
import type { WrittenParticipant, WrittenToken } from './fields/participant-fields.js';
import type { WrittenClaimGrant, WrittenUnlisted } from './fields/unlisted-fields.js';
import { checkJournal, journalOf } from './journal/index.js';
import {
  applyEnvironment,
  type EnvironmentVariables,
  MACP_TOKENS_FILE,
  MACP_TOKENS_JSON,
} from './macp/environment.js';
import { type MacpToken, readMacpTokens } from './macp/macp-tokens.js';
import { placeInVariable } from './read/problem.js';
import { findTree, parseYamlTree } from './read/tree.js';
import { schemaFor, type WrittenConfig } from './schema.js';

/** How long a stopping gateway says that it is not ready, in milliseconds: proxies ask about every second. */
const NOT_READY_FOR = 3_000;

/** What {@link parseConfig} needs besides the text. */
export interface ParseConfigOptions {
  /** The file's name, for messages; relative paths in the file are relative to its folder. */
  readonly file: string;
  /** Whether there is such a file, or data in its place, even with nothing in it. Default: unless the text is empty. */
  readonly hasFile?: boolean;
  /** Environment variables, as in `process.env`. Default: none. */
  readonly env?: EnvironmentVariables;
  /** The content of the file named by `MACP_AUTH_TOKENS_FILE`. */
  readonly macpTokensFile?: string;
  /** Whether a file is readable; without it, named files are not checked. */
  readonly isReadable?: (path: string) => boolean;
  /** The notification channel types. Default: none. */
  readonly channelTypes?: ChannelTypes;
}

/** A configuration without any problem, or all the problems there are. */
export type ParsedConfig =
  | { readonly config: GatewayConfig; readonly problems?: never }
  | { readonly problems: readonly Problem[]; readonly config?: never };

/**
 * Reads a configuration from YAML and environment variables, which override the file. Pure. A wrong key or
 * value is never ignored: all problems are returned together, each with its place, what was found, what is
 * allowed and what was probably meant.
 *
 * @param text - or the same as data, from a program that embeds a gateway: then no YAML parser is loaded
 */
export function parseConfig(text: string | JsonObject, options: ParseConfigOptions): ParsedConfig {
  const { problems, report } = createReport();
  const env = options.env ?? {};
  const file =
    typeof text === 'string' ? parseYamlTree(text, options.file, report) : treeOfData(text, options.file);
  const macpTokens = readTokenLists(options, env, report);
  if (file === undefined) return { problems };

  const root = applyEnvironment(file, env, report, options.hasFile ?? text !== '');
  const written = schemaFor(options.channelTypes ?? {}).read(root, [], report);
  if (written === undefined) return { problems };
  // For invalid keys, it is unknown whether they fit together.
  const jwt = problems.some(({ path }) => path.startsWith('jwt')) ? undefined : written.jwt;
  const config = assemble({ ...written, jwt }, macpTokens, root, options.file, report);
  checkConfig(config, root, report, options);
  checkJournal(written.journal, root, report);
  // Only if everything else is valid: an invalid token or jwt is reported separately.
  if (problems.length === 0) checkEntry(config, root, report);
  return problems.length > 0 ? { problems } : { config };
}

function treeOfData(data: JsonObject, source: string): MapTree | undefined {
  const tree = treeOfJson(data, { source, line: 1, column: 1 });
  return tree.kind === 'map' ? tree : undefined;
}

function readTokenLists(
  options: ParseConfigOptions,
  env: EnvironmentVariables,
  report: Report,
): readonly MacpToken[] {
  const inline = env[MACP_TOKENS_JSON] ?? '';
  const path = env[MACP_TOKENS_FILE] ?? '';
  if (inline !== '' && path !== '') {
    const message = `${MACP_TOKENS_JSON} and ${MACP_TOKENS_FILE} both give a token list; keep one of them.`;
    report(placeInVariable(MACP_TOKENS_FILE), '', message);
  }
  if (inline !== '') return readMacpTokens(inline, `$${MACP_TOKENS_JSON}`, report);
  if (path === '') return [];
  if (options.macpTokensFile !== undefined) return readMacpTokens(options.macpTokensFile, path, report);
  report(placeInVariable(MACP_TOKENS_FILE), '', 'The file that this variable names cannot be read.');
  return [];
}

function assemble(
  written: WrittenConfig,
  macpTokens: readonly MacpToken[],
  root: MapTree,
  file: string,
  report: Report,
): GatewayConfig {
  const { dev, listen, capabilities } = written;
  const spaces = new Map<string, SpaceSettings>();
  for (const [name, settings] of written.spaces ?? [['main', {}]]) {
    // Keys that are not written are absent, so they do not override defaults.
    spaces.set(name, spaceSettings({ ...(settings as Partial<SpaceSettings>), name }));
  }
  const participants = new Map<string, ParticipantConfig>(dev ? devParticipants(spaces.keys()) : []);
  for (const [name, rights] of written.participants) {
    participants.set(name, completeRights(rights, capabilities, report));
  }
  const unlisted = written.jwt?.unlistedSubjects;
  const jwt = written.jwt === undefined ? undefined : completeJwt(written.jwt, root, report);
  const path = (key: readonly string[], value: string) => relativeToFile(root, file, key, value);
  return {
    dev,
    listen: {
      ...(listen.http === 'off' ? {} : { http: listen.http }),
      ...(listen.grpc === 'off' ? {} : { grpc: listen.grpc }),
      ...(listen.metrics === 'off' ? {} : { metrics: listen.metrics }),
      allowInsecure: listen.allowInsecure,
      allowedOrigins: listen.allowedOrigins,
    },
    ...(written.tls === undefined
      ? {}
      : {
          tls: { cert: path(['tls', 'cert'], written.tls.cert), key: path(['tls', 'key'], written.tls.key) },
        }),
    journal: journalOf(written.journal, path),
    ...(written.evidence === undefined
      ? {}
      : {
          evidence: {
            ...written.evidence,
            key: path(['evidence', 'key'], written.evidence.key),
            publish: written.evidence.publish.map((place) =>
              /^https?:/.test(place) ? place : path(['evidence', 'publish'], place),
            ),
          },
        }),
    spaces,
    participants,
    tokens: collectTokens(written, participants, macpTokens, report),
    ...defined({ jwt }),
    ...(unlisted === undefined ? {} : { unlistedSubjects: completeUnlisted(unlisted, capabilities, report) }),
    capabilities,
    negotiation: negotiationOf(written.negotiation, path),
    limits: { ...(dev ? DEV_LIMITS : DEFAULT_LIMITS), ...(written.limits as Partial<LimitsConfig>) },
    shutdown: { ...written.shutdown, notReadyFor: written.shutdown.notReadyFor ?? (dev ? 0 : NOT_READY_FOR) },
    ...defined({ oidc: written.console.oidc, passkeyOrigins: passkeyOriginsOf(written) }),
    ...(written.notify === undefined ? {} : { notify: notifyOf(written.notify, path) }),
  };
}

function passkeyOriginsOf({ console, notify }: WrittenConfig): readonly string[] | undefined {
  const { url } = notify ?? {};
  return console.passkeyOrigins ?? (url === undefined ? undefined : [new URL(url).origin]);
}

function negotiationOf(
  { defaultPolicy, policies }: WrittenConfig['negotiation'],
  path: (key: readonly string[], value: string) => string,
): NegotiationConfig {
  if (policies === undefined) return { defaultPolicy };
  return { defaultPolicy, policies: path(['negotiation', 'policies'], policies) };
}

type Lists = ReadonlyMap<string, readonly Capability[]>;

function completeRights(rights: WrittenParticipant, lists: Lists, report: Report): ParticipantConfig {
  const { observer, runsOwnCalls, reviewOnly, roles, subject, worksFor, negotiation } = rights;
  const spaces = resolveSpaces(rights.spaces, lists, report);
  // A participant without a space can only negotiate; one that may only chat in its space was not meant to.
  const mayStart = spaces.size === 0 || mayAct([...spaces.values()].flat());
  const person = { roles, ...defined({ subject, worksFor }) };
  return {
    spaces,
    observer,
    runsOwnCalls,
    reviewOnly,
    ...person,
    negotiation: completeFlags(negotiation, mayStart),
  };
}

function completeUnlisted(written: WrittenUnlisted, lists: Lists, report: Report): UnlistedSubjects {
  const { claims, spaces, subjectClaim, worksForClaim, negotiation, ...rights } = written;
  return {
    ...rights,
    spaces: resolveSpaces(spaces, lists, report),
    claims: claims.map((claim) => completeClaim(claim, lists, report)),
    ...defined({ subjectClaim, worksForClaim }),
    negotiation: completeFlags(negotiation, false),
  };
}

function completeClaim(claim: WrittenClaimGrant, lists: Lists, report: Report): ClaimGrant {
  return { ...claim, spaces: resolveSpaces(claim.spaces, lists, report) };
}

function resolveSpaces(
  spaces: ReadonlyMap<string, CapabilityList>,
  lists: Lists,
  report: Report,
): ParticipantConfig['spaces'] {
  return new Map(Array.from(spaces, ([space, grant]) => [space, resolveGrant(grant, lists, report)]));
}

function notifyOf(
  written: NotifyConfig,
  resolve: (key: readonly string[], value: string) => string,
): NotifyConfig {
  const { keys } = written.push;
  if (keys === undefined) return written;
  return { ...written, push: { ...written.push, keys: resolve(['notify', 'push', 'keys'], keys) } };
}

/** All tokens; a token in two entries would be ambiguous. */
function collectTokens(
  written: WrittenConfig,
  participants: GatewayConfig['participants'],
  macpTokens: readonly MacpToken[],
  report: Report,
): readonly TokenConfig[] {
  const known = new Map<string, TokenConfig>();
  const add = ({ at, path, ...token }: TokenConfig & Pick<WrittenToken, 'at' | 'path'>) => {
    const other = known.get(token.hash);
    if (other === undefined) known.set(token.hash, token);
    else
      report(
        at,
        path,
        `This token already belongs to ${other.participant}; a token can have only one participant.`,
      );
  };
  for (const [participant, { tokens }] of written.participants) {
    const negotiation = participants.get(participant)?.negotiation;
    if (negotiation !== undefined) for (const token of tokens) add({ ...token, participant, negotiation });
  }
  for (const token of macpTokens) add(token);
  return [...known.values()];
}

/**
 * A path as seen from the working directory: relative to the file's folder if it is in the file, and to the working
 * directory if it is in an environment variable.
 */
function relativeToFile(root: MapTree, file: string, key: readonly string[], value: string): string {
  const fromVariable = findTree(root, key)?.at.source.startsWith('$') ?? false;
  return isAbsolute(value) || fromVariable ? value : join(dirname(file), value);
}
