import type { Capability } from '@proffer/core/capability';
import type { DefaultPolicy } from '@proffer/core/negotiation';
import type { SpaceSettings } from '@proffer/core/operations';
import type { VerifierKey } from '@proffer/evidence';
import type { JournalPlace } from '@proffer/journal';
import type { NegotiationKey } from './fields/negotiation-fields.js';
import type { QuietHours } from './fields/notify-fields.js';
import type { Address } from './read/address.js';
import type { Field } from './read/field.js';
import type { Rate } from './read/quantity.js';
import type { Secret } from './read/secret.js';

/** Everything that an operator sets, checked and complete. Made by {@link parseConfig}. */
export interface GatewayConfig {
  /** Whether the token is the participant's name. Default: false; only on loopback addresses. */
  readonly dev: boolean;
  readonly listen: ListenConfig;
  /** Certificate for every listener; absent: no TLS. */
  readonly tls?: TlsConfig;
  readonly journal: JournalConfig;
  /** How the journal can be proved to others. Absent: there is no signed log. */
  readonly evidence?: EvidenceConfig;
  /** By name. Default: one space, `main`. */
  readonly spaces: ReadonlyMap<string, SpaceSettings>;
  /** By name. */
  readonly participants: ReadonlyMap<string, ParticipantConfig>;
  /** Tokens of the participants and of MACP token lists, each hash once. */
  readonly tokens: readonly TokenConfig[];
  readonly jwt?: JwtConfig;
  /** The rights of a JWT whose subject is not a participant. Absent: it is refused. */
  readonly unlistedSubjects?: UnlistedSubjects;
  /** Capability lists by name. */
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly negotiation: NegotiationConfig;
  readonly limits: LimitsConfig;
  readonly shutdown: ShutdownConfig;
  /** How people sign in to the console other than with a token. */
  readonly oidc?: OidcConfig;
  /**
   * The origins of the pages where people may use passkeys (O-49). Default: that of `notify.url`; without one, only pages
   * on this machine (`localhost`).
   */
  readonly passkeyOrigins?: readonly string[];
  /** Who is notified, and how. Absent: nobody. */
  readonly notify?: NotifyConfig;
}

/** The signed log over the journal's records. */
export interface EvidenceConfig {
  /** The file with the keys that checkpoints are signed with. It must not be in the journal's folder. */
  readonly key: string;
  /** A checkpoint is made this often if there is something new, in milliseconds. Default: 1 min. */
  readonly every: number;
  /** Who else signs each checkpoint. */
  readonly witnesses: readonly WitnessConfig[];
  /** Where checkpoints are sent: files, to which they are added, and addresses, to which they are posted. */
  readonly publish: readonly string[];
  /** Whether anyone may read checkpoints and tiles, without a token. They hold no content. Default: false. */
  readonly public: boolean;
  /** Whether the arguments of new calls can be hidden in evidence files. Default: false. */
  readonly hideable: boolean;
}

/** A witness that signs checkpoints which continue what it saw before (C2SP's tlog-witness). */
export interface WitnessConfig {
  readonly url: string;
  readonly key: VerifierKey;
}

/** Signing in to the console with OpenID Connect, at the issuer of the JWTs. */
export interface OidcConfig {
  /** The console's client at the issuer: public, with PKCE, redirecting to `/console/`. */
  readonly clientId: string;
  /** Default: `openid offline_access`; the latter gives a refresh token. */
  readonly scope: string;
  /** The resource to request access tokens for, if the issuer needs one (RFC 8707). */
  readonly resource: string | undefined;
}

export type { Secret };

export interface NotifyConfig {
  /** The console's address for links. Default: the gateway's own address. */
  readonly url: string | undefined;
  /** Argument paths that no notification shows, such as `headers.authorization`: at any depth, in any case. */
  readonly redact: readonly string[];
  /** Whether notifications also leave out what looks like a secret. Default: true. */
  readonly detectSecrets: boolean;
  /**
   * What a link in a notification can do. `sign-in`: it opens the proposal after signing in. `bearer`: on a
   * channel that reaches one person, whoever has the link can decide, once, within the hour. Default:
   * `sign-in`.
   */
  readonly links: 'sign-in' | 'bearer';
  readonly push: PushConfig;
  /** By name. */
  readonly channels: ReadonlyMap<string, NotifyChannel>;
  /** By participant. */
  readonly participants: ReadonlyMap<string, readonly NotifyRoute[]>;
}

/** Web Push to browsers that people subscribed. */
export interface PushConfig {
  /** Allowed origins of subscriptions; `https://*.NAME` for all subdomains. None: nothing is pushed. */
  readonly services: readonly string[];
  /** The contact for push services: `mailto:…` or an https URL. Default: `url`. */
  readonly contact: string | undefined;
  /** The file with the gateway's push keys. Default: `push-keys.json` in the journal's folder. */
  readonly keys: string | undefined;
  /** At most one message to a device in this time, in milliseconds. Default: 1 min. */
  readonly digest: number;
}

/** A notification channel: its type, and the settings of that type. */
export interface NotifyChannel {
  readonly type: string;
}

/**
 * What the configuration parser knows about a channel type. The program that sends over it knows the rest.
 */
export interface ChannelSchema {
  /** The keys of the channel, besides `type`. */
  readonly fields: Field<object>;
  /** What a route must specify, as text for people. Default: nothing. */
  readonly routeNeeds?: Readonly<Partial<Record<'to' | 'token', string>>>;
}

/** The available channel types, by name. */
export type ChannelTypes = Readonly<Record<string, ChannelSchema>>;

/** How one participant is reached over one channel. Durations in milliseconds. */
export interface NotifyRoute {
  readonly channel: string;
  /** The address, topic or id, if the channel needs one. */
  readonly to: string | undefined;
  /** For Gotify, where each application has its own. */
  readonly token: Secret | undefined;
  /** Default: all that the participant may enter. */
  readonly spaces: readonly string[] | undefined;
  /**
   * What to notify about: what the participant may decide, only what names it, or everything. Default:
   * decidable.
   */
  readonly when: 'decidable' | 'addressed' | 'all';
  readonly quiet: QuietHours | undefined;
  /** At most one message in this time. Default: 1 min. */
  readonly digest: number;
  /** How long before expiry to send a reminder. */
  readonly remind: number | undefined;
  /** Whether to report how it ended, if the channel can. Default: true. */
  readonly updates: boolean;
}

/** Settings for all negotiations. */
export interface NegotiationConfig {
  /**
   * The rules for a session that names no policy, or `policy.default`. Default: `guide`; `rfc-0008` for a
   * gateway that is started from the `MACP_*` variables alone, in place of another runtime.
   */
  readonly defaultPolicy: DefaultPolicy;
  /**
   * A folder of policies, each a `.json` file, that are registered at startup. Clients then cannot register any. Default:
   * none.
   */
  readonly policies?: string;
}

/** How a gateway stops. Durations in milliseconds. */
export interface ShutdownConfig {
  /**
   * How long it says that it is not ready, and still serves, before it lets nobody in: proxies notice and send nothing
   * more. Default: 3 s; in dev mode 0.
   */
  readonly notReadyFor: number;
  /** After this time, all in all, it stops without waiting for messages in flight. Default: 10 s. */
  readonly timeout: number;
}

export interface ListenConfig {
  /** HTTP and WebSocket. Default: 127.0.0.1:7420; absent when `off`. */
  readonly http?: Address;
  /** gRPC. Default: 127.0.0.1:50051; absent when `off`. */
  readonly grpc?: Address;
  /** Only `/metrics`, without TLS; HTTP serves it too. Default: none. */
  readonly metrics?: Address;
  /** Whether addresses that others can reach may omit TLS. Default: false. */
  readonly allowInsecure: boolean;
  /**
   * Origins of pages that may use the HTTP routes from a browser, exactly as browsers send them. Default:
   * none.
   */
  readonly allowedOrigins: readonly string[];
}

/** Paths of PEM files, relative to the working directory. */
export interface TlsConfig {
  readonly cert: string;
  readonly key: string;
}

/** Where the journal is, and how long finished proposals and sessions are kept; absent: forever. */
export type JournalConfig = JournalPlace & {
  /** Milliseconds from the end of a proposal until it is removed. */
  readonly retention?: number;
};

/** The rights of a participant, with any credential. */
export interface ParticipantConfig {
  /** The spaces it may enter, and its capabilities there. */
  readonly spaces: ReadonlyMap<string, readonly Capability[]>;
  /** Whether it sees private messages between others (O-21). Default: false. */
  readonly observer: boolean;
  /** Whether it may run what it proposed itself, as a guard does (O-26). Default: false. */
  readonly runsOwnCalls: boolean;
  /** Whether each of its requests must approve a proposal (O-44). Default: false. */
  readonly reviewOnly: boolean;
  /** The participant's roles in review policies (O-28). Default: none. */
  readonly roles: readonly string[];
  /** The person behind it, so that two tokens of one person are one approval (O-30). Default: its name. */
  readonly subject?: string;
  /** The person it works for, by name or subject, whom policies may exclude (O-30). Default: nobody. */
  readonly worksFor?: string;
  readonly negotiation: NegotiationFlags;
}

/** The rights of JWT subjects that are not participants. */
export interface UnlistedSubjects extends Omit<ParticipantConfig, 'subject' | 'worksFor'> {
  /** What their claims add to that. Default: nothing. */
  readonly claims: readonly ClaimGrant[];
  /** The flags of the claim `macp_scopes` that replace those of `negotiation`. Default: none. */
  readonly macpScopes: readonly NegotiationKey[];
  /** The claim that identifies the person (O-30). Default: `sub`. */
  readonly subjectClaim?: ClaimPath;
  /** The claim that names the person whom the subject works for (O-30). Default: none. */
  readonly worksForClaim?: ClaimPath;
}

/** The name of a claim; several lead into nested ones. */
export type ClaimPath = readonly string[];

/** What one value of a claim grants. */
export interface ClaimGrant
  extends Pick<ParticipantConfig, 'spaces' | 'roles' | 'observer' | 'runsOwnCalls' | 'reviewOnly'> {
  readonly claim: ClaimPath;
  /** The text that the claim is, or that is in its list. */
  readonly has: string;
}

/** A participant's rights in negotiations: the flags of MACP token lists. */
export interface NegotiationFlags {
  /** Modes that the token is valid for. Absent: all. */
  readonly allowedModes?: readonly string[];
  /**
   * Default: true for entries of MACP token lists, false for subjects that are not participants. For a
   * participant, it follows from its capabilities: true if it may propose or call in some space, or has no
   * space, so that all it can do is negotiate.
   */
  readonly canStartSessions: boolean;
  /** The maximum number of its open sessions. Default: the general limit. */
  readonly maxOpenSessions?: number;
  /** Default: false. */
  readonly canManageModeRegistry: boolean;
  /** Whether it may read every session (N-8). Default: false. */
  readonly isObserver: boolean;
  /** Other names that it may act for (N-7). Default: none. */
  readonly actAs: readonly string[];
}

/** One static token, known only by its hash. */
export interface TokenConfig {
  /** SHA-256 of the token, 64 hexadecimal digits in lower case. */
  readonly hash: string;
  readonly participant: string;
  /** The token's own flags if it is from a MACP token list, else its participant's. */
  readonly negotiation: NegotiationFlags;
}

/** Algorithms that a JWT may be signed with. */
export const JWT_ALGORITHMS = ['RS256', 'ES256', 'HS256'] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

/** A JSON Web Key as written; its members are checked when it is imported. */
export type JsonWebKey = { readonly kty: string } & { readonly [member: string]: unknown };

export interface JwtConfig {
  /** The required `iss`. */
  readonly issuer: string;
  /** One of these must be in `aud`. */
  readonly audience: readonly string[];
  /** Keys in the configuration, or the address of a key set. */
  readonly keys: { readonly inline: readonly JsonWebKey[] } | { readonly url: string };
  /** Default: those that fit the inline keys; with an address, RS256 and ES256. */
  readonly algorithms: readonly JwtAlgorithm[];
  /** How far the issuer's clock may be off, in milliseconds. Default: 30 s, at most 5 min. */
  readonly clockSkew: number;
  /** How long a fetched key set is used, in milliseconds. Default: 10 min. */
  readonly cacheFor: number;
  /** The minimum time between fetches for unknown keys, in milliseconds. Default: 30 s. */
  readonly cooldown: number;
  /** Timeout of a fetch, in milliseconds. Default: 5 s. */
  readonly timeout: number;
}

/** Limits per participant, token or connection. Sizes in bytes. */
export interface LimitsConfig {
  /** Of one message about operations. Default: 1 MiB. */
  readonly messageSize: number;
  /** Nesting of objects and arrays in a message. Default: 64. */
  readonly messageDepth: number;
  /** Default: 1000/s; in dev mode 100000/s. */
  readonly messagesPerParticipant: Rate;
  /** Malformed messages (O-5) before the connection is closed. Default: 60/min. */
  readonly badMessagesPerConnection: Rate;
  /** A gRPC connection counts once, however many streams it has. Default: 32. */
  readonly connectionsPerToken: number;
  /** Long-lived gRPC streams, such as followed sessions. Default: 1024. */
  readonly streamsPerToken: number;
  /** Pending proposals of one participant in one space. Default: 1000. */
  readonly pendingProposalsPerParticipant: number;
  /** Bytes sent to one connection that it has not read (I-7). Default: 16 MiB. */
  readonly unacknowledgedPerConnection: number;
  /** Of the payload of one negotiation message (N-3). Default: 1 MiB. */
  readonly negotiationPayloadSize: number;
  /** Default: 600/min; in dev mode 100000/s. */
  readonly negotiationMessagesPerParticipant: Rate;
  /** Default: 60/min; in dev mode 100000/s. */
  readonly sessionStartsPerParticipant: Rate;
  /** Open sessions that one participant started. Default: 1000. */
  readonly openSessionsPerParticipant: number;
  /** Of all participants together. Default: 6000/min; in dev mode 100000/s. */
  readonly sessionStarts: Rate;
  /** Open sessions of all participants together. Default: 100000. */
  readonly openSessions: number;
}
