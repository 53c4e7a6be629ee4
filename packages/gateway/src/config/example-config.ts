import { EXECUTOR_CAPABILITIES, GUARD_CAPABILITIES, PROPOSER_CAPABILITIES } from './dev-participants.js';

/** Where `proffer init` writes a key for gateways on NATS, next to the configuration. */
export const KEY_FILE = 'proffer.keys';

/** Where `proffer init` writes the key of the log, next to the configuration. */
export const LOG_KEY_FILE = 'proffer-log.key';

/** Hashes of the tokens of the three participants in the example, as created by `createToken`. */
export interface ExampleTokens {
  readonly agent: string;
  readonly reviewer: string;
  readonly tools: string;
}

/**
 * A starting configuration, as commented YAML: three participants in one space, and every key. Unused keys
 * are commented out with `#` directly before them.
 */
export function exampleConfig(tokens: ExampleTokens): string {
  return `# Proffer gateway.
#
# Durations are written 30s, 10m, 7d (or in milliseconds), sizes 512KiB, 1MiB (or in bytes), rates 100/s, 600/min.
# Environment variables override this file. Their names are the keys in capitals: listen.http is
# PROFFER_LISTEN_HTTP. Spaces, participants and capabilities can only be set here.
# A key that is commented out shows its default, or an example where there is none.

# Dev mode: the token is the participant's name. Only for trying things out, only on this machine.
#dev: false

listen:
  http: 127.0.0.1:7420 # HTTP and WebSocket; "off" disables it
  grpc: 127.0.0.1:50051 # negotiations over gRPC (MACP); "off" disables it
  #metrics: 127.0.0.1:9464 # only /metrics, for collectors that reach no other address; HTTP serves it too
  # Addresses that others can reach need tls, or a proxy in front of the gateway that terminates TLS:
  #allow_insecure: false
  # Origins whose pages may use the HTTP routes from a browser (CORS); for instance [https://app.example.com].
  #allowed_origins: []

# One certificate for both listeners. Paths start from the folder of this file.
#tls:
  #cert: gateway.crt
  #key: gateway.key

# Where everything that happens is stored.
journal:
  backend: local # local (one folder), nats (several gateways), memory (nothing survives a restart)
  path: proffer-data
  # When a message is acknowledged. power: it is on the disk. process: it is with the system, which has it on the disk
  # 10 ms later; a killed process loses nothing, a power cut what was acknowledged in that time. Not with guards,
  # hooks (runs_own_calls), dev, review policies or evidence: a forgotten approval could run its call twice.
  #durability: power
  #retention: 90d # removes proposals that ended longer ago, once a day; without it everything stays
  # Several gateways on a NATS cluster (backend: nats): docs/guides/more-than-one-machine.md
  #nats:
    #servers: ["nats://127.0.0.1:4222"]
    #stream: proffer
    #replicas: 3 # copies of each record; with 1, one server is enough, but a lost disk loses the records
    # One way to log in: a file with a JWT and its seed, a file with the seed of an nkey, or a name and a password.
    #credentials: gateway.creds
    #nkey: gateway.nk
    #user: gateway
    #password: see PROFFER_JOURNAL_NATS_PASSWORD
    #allow_insecure: false # whether servers without a login, and other machines without tls://, may be used
    # The keys that gateways sign records with, so that nobody else can add any. All gateways need the same.
    #key_file: ${KEY_FILE}
    #keys: see PROFFER_JOURNAL_NATS_KEYS
    #accept_unsigned: none # or the seq of the last record that an older release wrote; all: only while upgrading
    #tls:
      #ca: ca.pem
      #cert: gateway.crt
      #key: gateway.key

# A signed log over all records, so that others can check that none was changed (docs/guides/show-an-auditor.md).
evidence:
  key: ${LOG_KEY_FILE} # made by \`proffer init\`; must not be in the folder of the journal
  #every: 1m # how often the log is signed, if there is something new
  #witnesses: [] # who else signs it, such as { url: https://witness.example.com, key: NAME+ID+KEY }; see \`proffer witness\`
  #publish: [] # where checkpoints go: files to which they are added, and URLs to which they are posted
  #public: false # true: anyone may read checkpoints and tiles without a token; they contain no messages
  #hideable: false # true: \`proffer evidence --hide\` can leave out arguments of calls that are proposed from now on

# A space is where participants meet. Those that are in it see one another's messages.
spaces:
  main:
    # How long a proposal waits if it sets no TTL (forever if neither is set), and the maximum:
    #default_ttl: 1h
    #max_ttl: 7d
    #expiry_warnings: true # warns before a proposal expires: a tenth of its TTL before, but at least 10 s
    #exclusive_timeout: 30s # how long a proposal for certain participants is reserved for them
    #answer_timeout: 10m # after that, the outcome of an unanswered operation is unknown
    #dedup_window: 10m # how long a resent message is recognised
    #self_fulfilment: false # whether a proposer may fulfil its own proposal
    #arguments: refuse # calls that do not match the schema of their tool; "mark" lets them through, flagged
    #counter_rounds: 8 # how many counter-offers one proposal may get; 0 for none
    # Which calls need whose approval; the first matching entry applies. Without one, one approval by anyone who
    # may make the request is enough. For instance:
    # [{ name: payments, call: mcp.request.tools/call:pay_*, approvals: 2, from: [role:finance, boss], veto: true }]
    # An entry may also have escalate: [{ after: 10m, to: [boss] }, { after: 1h, decline: true }], which asks the boss
    # after ten minutes and declines after an hour; not_requester: true; and
    # agents: { from: [steward], per_hour: 5, within: { amount: { lte: 100 } } } for what agents may approve alone.
    # With signed: true, an approval counts only if it is signed with a key of the approver: a passkey in the console, or
    # a key of the command line (docs/guides/approve-with-a-passkey.md).
    # With by, those in from approve in negotiation sessions, and nowhere else (docs/guides/review-policies.md):
    # by: { modes: [macp.mode.quorum.v1], policies: [policy.default] }. Default: every mode with offers, every policy.
    #review: []
    #signed: false # whether that holds for every approval in the space
    #visibility: all # "addressed": addressed messages reach only sender, addressees and observers

# Lists of capabilities by name, so that participants can share them. A capability is a pattern over
# kinds of messages; one with a payload must match that too. Payloads have * and **, but no operators; an argument that is
# an object is written under fields: { order: { fields: { currency: EUR } } }.
capabilities:
  proposer:${list(PROPOSER_CAPABILITIES)}
  # For guards and hooks, with runs_own_calls: they announce tools and rules. Others should not: whoever announces a
  # tool first is the one that runs it.
  guard:${list(GUARD_CAPABILITIES)}
  executor:${list(EXECUTOR_CAPABILITIES)}
  everything:
    - "*"
  careful_reader:
    - mcp.request.tools/list
    - kind: mcp.request.tools/call
      payload: { params: { name: read_file, arguments: { path: "/srv/public/**" } } }

# Who may enter, by name. Tokens are known by their hash alone: \`proffer token NAME\` makes a token and prints
# both. Several tokens for one participant are fine; to revoke one, delete its line.
participants:
  agent:
    tokens:
      - ${tokens.agent}
    spaces:
      main: proposer # a list from above, or capabilities written here: [mcp.proposal.*, chat.message]

  reviewer:
    tokens:
      - ${tokens.reviewer}
    spaces:
      main: everything
    #roles: [] # its roles in review policies, as in role:finance
    #subject: ann@example.com # the person behind it: two tokens of one person are one approval
    #works_for: ann@example.com # the person whom an agent works for; review entries with not_requester exclude them
    #runs_own_calls: false # may run what it proposed itself, as a guard does; nobody else should
    #review_only: false # may approve what others propose, but make no requests of its own
    #observer: false # sees what others say to each other in a space with visibility "addressed"
    # What this participant may do in negotiations:
    #negotiation:
      #can_start_sessions: true # default: whether it may propose or call in some space
      #allowed_modes: [] # for instance [macp.mode.proposal.v1]; none means all
      #max_open_sessions: 100
      #is_observer: false # may read every session
      #can_manage_mode_registry: false
      #act_as: [] # names it may speak for besides its own

  tools:
    tokens:
      - ${tokens.tools}
    spaces:
      main: executor

# Tokens of an identity provider. \`sub\` of the JWT is the participant's name. A participant above has the rights that are
# written there; no claim adds to them.
#jwt:
  #issuer: https://login.example.com
  #audience: proffer
  #jwks_url: https://login.example.com/jwks.json
  #jwks: { keys: [] } # the key set itself, instead of its URL
  #algorithms: [RS256, ES256] # HS256 only with a secret (kty oct) in jwks
  #clock_skew: 30s
  #cache_for: 10m
  #cooldown: 30s # between two fetches for a key that is not in the set
  #timeout: 5s
  # What a subject that is not a participant above may do. Without this, it is refused.
  #unlisted_subjects:
    #spaces: {} # for instance { main: proposer }
    # What claims add to that, one by one. For instance, for all whose claim groups is or has "reviewers":
    # [{ claim: groups, has: reviewers, spaces: { main: everything }, roles: [finance] }]
    # An entry may also have observer, runs_own_calls and review_only. For a nested claim: claim: [realm_access, roles]
    #claims: []
    #macp_scopes: [] # flags of the claim macp_scopes that count, such as [can_start_sessions, allowed_modes]
    #subject_claim: email # identifies the person; default sub. The issuer must not let people change it
    #works_for_claim: owner # names the person whom an agent works for
    #observer: false
    #roles: []
    #runs_own_calls: false
    #review_only: false
    #negotiation:
      #can_start_sessions: false
      #allowed_modes: []
      #max_open_sessions: 10
      #is_observer: false
      #can_manage_mode_registry: false
      #act_as: []

# Settings for all negotiations.
#negotiation:
  #default_policy: guide # or rfc-0008: the rules of a session without a policy, or with policy.default
  #policies: policies # a folder of .json files with the only policies that can be named besides the built-in ones

# Limits per participant, token or connection. What exceeds them is refused.
#limits:
  #message_size: 1MiB
  #message_depth: 64
  #messages_per_participant: 1000/s
  #bad_messages_per_connection: 60/min # unreadable messages; beyond that the connection is closed
  #connections_per_token: 32
  #streams_per_token: 1024 # gRPC: sessions and registries followed at the same time
  #pending_proposals_per_participant: 1000 # in one space
  #unacknowledged_per_connection: 16MiB # waiting for a slow reader
  #negotiation_payload_size: 1MiB
  #negotiation_messages_per_participant: 600/min
  #session_starts_per_participant: 60/min
  #open_sessions_per_participant: 1000
  #session_starts: 6000/min # of all participants together
  #open_sessions: 100000 # of all participants together

# How it stops (SIGTERM). Its clients then go on at another gateway, or when this one is back.
#shutdown:
  #not_ready_for: 3s # how long /readyz says 503 before it stops serving, so that proxies send nothing more; 0 in dev mode
  #timeout: 10s # after that, it stops without waiting for messages in flight

# The console. oidc: sign-in at the issuer of the JWTs, in addition to tokens.
#console:
  #passkey_origins: [https://proffer.example.com] # where people may use passkeys; default notify.url, else localhost
  #oidc:
    #client_id: proffer-console # public, with PKCE; redirects to https://HOST/console/
    #scope: openid offline_access
    #resource: proffer # if the issuer needs to know what access tokens are for

# Who is notified of pending proposals, and how.
#notify:
  #url: https://proffer.example.com # where people reach the console; default this gateway's address
  #redact: [] # names in arguments that no notification shows, at any depth, such as salary or customer.name
  #detect_secrets: true # also leave out passwords, tokens and keys, by name and by what they look like
  #links: sign-in # or bearer: whoever has the link can decide, once, within an hour, without signing in
  # Browsers in which someone pressed "Notify me" (Web Push). Nothing leaves this machine until someone does.
  #push:
    #services: ["https://fcm.googleapis.com", "https://*.push.services.mozilla.com"] # and others; [] disables it
    #contact: mailto:operator@example.com # whom a push service writes to; default url
    #keys: push-keys.json # created if missing; default in the folder of the journal
    #digest: 1m # at most one message per device in this time
  #channels:
    #team: { type: slack, token: { env: SLACK_TOKEN }, signing_secret: { env: SLACK_SECRET } }
    #mail: { type: email, server: "smtp://127.0.0.1:25", from: Proffer <proffer@example.com> }
  #participants:
    #reviewer:
      #- { channel: mail, to: reviewer@example.com, quiet: "22:00-07:00 Europe/Berlin", digest: 15m, remind: 10m }
`;
}

function list(capabilities: readonly string[]): string {
  return capabilities.map((capability) => `\n    - ${capability}`).join('');
}
