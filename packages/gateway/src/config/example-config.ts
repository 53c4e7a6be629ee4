import { EXECUTOR_CAPABILITIES, PROPOSER_CAPABILITIES } from './dev-participants.js';

/** Hashes of the tokens of the three participants in the example, as `createToken` makes them. */
export interface ExampleTokens {
  readonly agent: string;
  readonly reviewer: string;
  readonly tools: string;
}

/**
 * A configuration to begin with, as commented YAML: three participants in one space, and every key
 * there is. Keys that are not in use are commented out with `#` directly before them.
 */
export function exampleConfig(tokens: ExampleTokens): string {
  return `# Proffer gateway.
#
# Durations are written 30s, 10m, 7d (or in milliseconds), sizes 512KiB, 1MiB (or in bytes), rates 100/s, 600/min.
# Environment variables count more than this file. Their names are the keys in capitals: listen.http is
# PROFFER_LISTEN_HTTP. Spaces, participants and capabilities stand only here.
# A key that is commented out shows its default, or an example where there is none.

# Dev mode: the token is the participant's name. Only for trying things out, only on this machine.
#dev: false

listen:
  http: 127.0.0.1:7420 # HTTP and WebSocket; "off" switches it off
  grpc: 127.0.0.1:50051 # negotiations over gRPC (MACP); "off" switches it off
  # Addresses that others can reach need tls, or something in front of the gateway that ends TLS:
  #allow_insecure: false
  # Pages elsewhere that may use the HTTP routes from a browser (CORS); for instance [https://app.example.com].
  #allowed_origins: []

# One certificate for both listeners. Paths start from the folder of this file.
#tls:
  #cert: gateway.crt
  #key: gateway.key

# Where everything that happens is kept.
journal:
  backend: local # local (one folder), nats (several gateways), memory (nothing survives a restart)
  path: proffer-data
  #retention: 90d # removes proposals that ended longer ago, once a day; without it everything stays
  # Several gateways on a NATS cluster (backend: nats): docs/guides/more-than-one-machine.md
  #nats:
    #servers: ["nats://127.0.0.1:4222"]
    #stream: proffer
    #replicas: 3 # copies of each record; with 1, one server is enough, and what is on it is lost with its disk
    # One way to log in: a file with a JWT and its seed, a file with the seed of an nkey, or a name and a password.
    #credentials: gateway.creds
    #nkey: gateway.nk
    #user: gateway
    #password: see PROFFER_JOURNAL_NATS_PASSWORD
    #tls:
      #ca: ca.pem
      #cert: gateway.crt
      #key: gateway.key

# A space is where participants meet. Those that are in it see one another's messages.
spaces:
  main:
    # How long a proposal waits when it does not say (never ends by itself if neither is set), and at most:
    #default_ttl: 1h
    #max_ttl: 7d
    #expiry_warnings: true # says so before a proposal expires, a tenth of its time and at least 10 s before
    #exclusive_timeout: 30s # how long a proposal for certain participants is reserved for them
    #answer_timeout: 10m # after that, an operation that was not answered counts as unknown
    #dedup_window: 10m # for how long a message that is sent again is recognised
    #self_fulfilment: false # whether a proposer may fulfil its own proposal
    #arguments: refuse # calls that do not fit the schema of their tool; "mark" lets them through, flagged
    #counter_rounds: 8 # how many counter-offers there may be about one proposal; 0 for none
    # Whose approval which calls need; the first entry that matches counts. Without one, one approval by anybody who
    # may make the request is enough. For instance:
    # [{ name: payments, call: mcp.request.tools/call:pay_*, approvals: 2, from: [role:finance, boss], veto: true }]
    # An entry may also have escalate: [{ after: 10m, to: [boss] }], not_requester: true, and
    # agents: { from: [steward], per_hour: 5, within: { amount: { max: 100 } } } for what agents may approve alone.
    #review: []
    #visibility: all # "addressed": addressed messages reach only sender, addressees and observers

# Lists of capabilities by name, so that participants can share them. A capability is a pattern over
# kinds of messages; one with a payload must match that too.
capabilities:
  proposer:${list(PROPOSER_CAPABILITIES)}
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
    #roles: [] # what review policies call it by, as in role:finance
    #subject: ann@example.com # the person behind it: two tokens of one person are one approval
    #works_for: ann@example.com # the person whom an agent works for; review entries with not_requester exclude them
    #runs_own_calls: false # may run what it proposed itself, as a guard does; nobody else should
    #review_only: false # may approve what others propose, and make no request of its own
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

# Tokens of an identity provider. The subject of the JWT is the participant's name.
#jwt:
  #issuer: https://login.example.com
  #audience: proffer
  #jwks_url: https://login.example.com/jwks.json
  #jwks: { keys: [] } # the key set itself, instead of its address
  #algorithms: [RS256, ES256] # HS256 only with a secret (kty oct) in jwks
  #clock_skew: 30s
  #cache_for: 10m
  #cooldown: 30s # between two fetches for a key that is not in the set
  #timeout: 5s
  # What a subject gets that is not one of the participants above; without this, nothing: it is refused.
  #unlisted_subjects:
    #claims: false # whether its claims \`proffer\` and \`macp_scopes\` count
    #spaces: {} # for instance { main: proposer }
    #observer: false
    #roles: []
    #subject: ann@example.com
    #works_for: ann@example.com
    #runs_own_calls: false
    #review_only: false
    #negotiation:
      #can_start_sessions: false
      #allowed_modes: []
      #max_open_sessions: 10
      #is_observer: false
      #can_manage_mode_registry: false
      #act_as: []

# What holds for every negotiation.
#negotiation:
  #default_policy: guide # or rfc-0008: whose rules hold for a session that names no policy, or policy.default

# What one participant, token or connection may use before it is refused.
#limits:
  #message_size: 1MiB
  #message_depth: 64
  #messages_per_participant: 1000/s
  #bad_messages_per_connection: 60/min # that could not be read; then the connection is closed
  #connections_per_token: 32
  #streams_per_token: 1024 # of gRPC: sessions and registries that are followed at the same time
  #pending_proposals_per_participant: 1000 # in one space
  #unacknowledged_per_connection: 16MiB # waiting for a slow reader
  #negotiation_payload_size: 1MiB
  #negotiation_messages_per_participant: 600/min
  #session_starts_per_participant: 60/min
  #open_sessions_per_participant: 1000
  #session_starts: 6000/min # of all participants together
  #open_sessions: 100000 # of all participants together

# Signing in to the console at the issuer of the JWTs, besides with a token.
#console:
  #oidc:
    #client_id: proffer-console # public, with PKCE; redirects to https://HOST/console/
    #scope: openid offline_access
    #resource: proffer # where the issuer wants to be told what access tokens are for

# Who is told that something waits for them, and how.
#notify:
  #url: https://proffer.example.com # where people reach the console; default this gateway's address
  #redact: [] # paths in arguments that no notification shows, such as password
  #links: sign-in # or bearer: whoever has the link from a message decides, once, within the hour, without signing in
  # Browsers in which somebody pressed "Notify me" (Web Push). Nothing leaves this machine until somebody does.
  #push:
    #services: ["https://fcm.googleapis.com", "https://*.push.services.mozilla.com"] # and others; [] switches it off
    #contact: mailto:operator@example.com # whom a push service writes to; default url
    #keys: push-keys.json # made when it is missing; default in the folder of the journal
    #digest: 1m # at most one message to a device in this time
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
