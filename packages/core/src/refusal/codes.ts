import {
  broken,
  conflict,
  forbidden,
  invalid,
  type MacpCode,
  notFound,
  notYet,
  onTheWire,
  type RefusalRow,
  tooDeep,
  tooLarge,
  tooMany,
  unauthenticated,
  unavailable,
} from './row.js';

/**
 * Every code that Proffer refuses with: what its reader should do next, its status on each transport, and whether
 * the same message may be sent again. This is the only such table: a code without a row does not compile. The codes
 * are a promise to programs: they are added to, never renamed. {@link refuse} appends the advice to each message.
 */
export const REFUSALS = {
  // Reading a message
  invalid_json: invalid('Send one JSON object per message, as UTF-8 text.'),
  too_large: tooLarge(['messageSize'], 'Send less in one message, or ask the operator to raise the limit.'),
  too_deep: tooDeep(['messageDepth'], 'Flatten the message, or ask the operator to raise the limit.'),
  duplicate_key: invalid('Use each key of an object only once; parsers disagree about which value wins.'),
  forbidden_key: invalid('Rename the key.'),
  not_json: invalid('Pass plain JSON data: objects, arrays, strings, finite numbers, booleans, null.'),
  missing_field: invalid('Add the field.'),
  invalid_field: invalid('Correct it and try again.'),
  kind_mismatch: invalid(
    'Make the kind and the payload name the same method and the same tool, prompt or resource.',
  ),
  reserved_kind: forbidden('entry', 'Use another kind; only the gateway sends this one.'),

  // Who may enter
  unauthenticated: unauthenticated(
    'Send a valid token as `Authorization: Bearer …`; `proffer token` makes one.',
  ),
  foreign_origin: forbidden(
    'entry',
    'Open the page from the gateway itself, or add its origin to listen.allowed_origins.',
  ),
  forbidden_space: forbidden(
    'entry',
    'Use a space that your token allows, or ask the operator for access to this one.',
  ),

  // How much of it
  rate_limited: tooMany(['messagesPerParticipant'], 'Wait for `retry_after_ms`; send less often.'),
  too_many_connections: tooMany(
    ['connectionsPerToken', 'streamsPerToken'],
    'Close one of them first, or ask the operator to raise the limit.',
  ),
  too_many_followed_sessions: tooMany(
    [],
    'Unsubscribe from one first (`unsubscribe_session_id`), or open another connection.',
  ),
  too_many_open_sessions: tooMany(
    ['openSessionsPerParticipant', 'openSessions'],
    'End one of them first, wait until one ends, or ask the operator to raise the limit.',
  ),
  too_many_streams: tooMany([], 'Close one of them first.'),
  stream_not_found: notFound('entry', 'Open one with stream/request, and use the id that stream/open names.'),
  not_stream_owner: forbidden('entry', 'Open a stream of your own with stream/request.'),
  unauthorized_stream_write: forbidden(
    'entry',
    'Ask its owner for stream/grant-write, or open a stream of your own.',
  ),
  participant_not_found: notFound(
    'entry',
    'Check the name: it must be a participant of the space, and for a stream a connected one.',
  ),
  target_not_found: notFound('connections', 'Name participants that are connected, or leave out the target.'),
  too_many_pending: tooMany(
    ['pendingProposalsPerParticipant'],
    'Wait until some are decided, or withdraw those that are no longer needed.',
  ),
  too_many_bad_messages: {
    ...tooMany(['badMessagesPerConnection'], 'Fix the client that sends the messages, then reconnect.'),
    retryable: false,
  },

  // Who may say it
  sender_mismatch: forbidden('entry', 'Leave `from` out, or set it to the name you are connected as.'),
  capability_violation: forbidden(
    'entry',
    'Send what your capabilities allow (they may let you propose what you may not request), or ask the operator for more.',
  ),
  id_conflict: conflict(
    'state',
    'Use a new id for a new message; reuse an id only to resend the same message.',
  ),

  // Reaching a gateway
  unknown_space: notFound('entry', 'Check the name of the space, or add it to the configuration.'),
  unknown_route: notFound('entry', 'GET /openapi.json lists all routes.'),
  future_cursor: invalid(
    'Read from the start, or from `seq`. If this `seq` was valid before, tell the operator: history may be missing.',
  ),
  token_in_url: invalid(
    'Send the token in the Authorization header, or in browsers as a WebSocket subprotocol.',
  ),
  invalid_tls: broken('Set tls.cert to a certificate with its chain, and tls.key to its private key.'),
  cannot_listen: broken(
    'Stop the program that uses the port, or choose another one with listen.http or listen.grpc.',
  ),

  // Proposals
  unknown_proposal: notFound('entry', 'Check the id and the space it was proposed in.'),
  unknown_dependency: notFound(
    'entry',
    'First make the proposals that this one depends on, and name only proposals that you can see.',
  ),
  proposal_not_pending: conflict(
    'end',
    'The proposal is no longer pending: check its state, or propose again.',
  ),
  digest_mismatch: conflict(
    'state',
    'Look at the proposal again, then decide with the digest of the params to run.',
  ),
  reserved: notYet(
    'state',
    'Wait until the reservation ends, or leave it to the reviewers whom the proposer prefers.',
  ),
  not_proposer: forbidden(
    'state',
    'Only the proposer may do this; you may approve or reject the proposal, or make a counter-offer.',
  ),
  use_withdraw: forbidden('state', 'Withdraw your own proposal with mcpx.withdraw.proposal.'),
  self_fulfilment: forbidden(
    'state',
    'Let someone else fulfil it, or ask the operator to allow self-fulfilment in this space.',
  ),
  ambiguous_executor: conflict('executors', 'Name the participant to run it in `to`.'),
  not_approver: forbidden(
    'review',
    'Leave it to those whose approval counts; the policy of the space says who.',
  ),
  signature_required: forbidden(
    'review',
    'Sign it with a passkey in the console, or a key of the command line (`proffer keys add`).',
  ),
  signature_invalid: forbidden(
    'state',
    'Look at the proposal again, and sign it anew (`proffer keys list`).',
  ),
  session_required: forbidden(
    'review',
    'Take part in a session about it: the policy of the space says in which modes, and whose acceptance counts.',
  ),
  no_agreement: forbidden('state', 'Agree on the call again, in another session.'),
  requester_excluded: forbidden(
    'review',
    'Leave it to someone else: the policy does not let people approve what their own agents propose.',
  ),
  agent_limit: forbidden(
    'review',
    'Leave it to people; the policy of the space says what agents may approve alone.',
  ),
  invalid_delegate: invalid('Name someone else, who can approve it in your place.'),
  approvals_paused: conflict(
    'state',
    'Wait until an operator resumes approvals. Rejecting and withdrawing still work.',
  ),
  changed_since_shown: conflict('state', 'Look at it again, then decide.'),
  vetoed: conflict('review', 'Talk to the person who rejected it: they can still approve it.'),
  already_approved: conflict(
    'review',
    'Your approval already counts. Others must approve this call as well.',
  ),
  review_only: forbidden(
    'state',
    'Name the pending proposal that it approves in `correlationId`, or use another token.',
  ),
  approval_required: forbidden('state', 'Propose it instead, so that the approvers can decide.'),
  invalid_arguments: invalid(
    'Correct the arguments; the schema is in the tool definition that its server announced.',
  ),
  own_call: forbidden(
    'state',
    'Let someone else run it: name them in `to`. The operator can let a participant run its own calls (`runs_own_calls`).',
  ),
  unknown_counter: notFound('entry', 'Look at the proposal again: it lists the open counter-offers.'),
  counter_cancelled: conflict('state', 'Look at the proposal again, and accept an open counter-offer.'),
  author_absent: notYet('connections', 'Try again when the author of the counter-offer is connected.'),
  too_many_counters: conflict(
    'state',
    'Approve or reject it, or accept a counter-offer; or withdraw it and make a new proposal.',
  ),
  sign_in_required: forbidden('entry', 'Sign in to the console and decide there.'),
  unknown_link: notFound('entry', 'Open the console and decide there, or wait for the next notification.'),
  used_link: conflict('entry', 'The console shows how the proposal ended.'),
  expired_link: conflict('entry', 'Open the console and decide there.'),
  executor_changed: conflict(
    'state',
    'Approve it for the participant that runs it, or ask for a new proposal.',
  ),
  new_executor: conflict(
    'newcomer',
    'Let a person approve it who was shown that another participant would run it (`seen.insteadOf`).',
  ),
  executor_absent: notYet(
    'presence',
    'Try again when the participant that would run it has connected again, or name another one in `to`; the proposal is still pending.',
  ),
  not_executor: forbidden('state', 'Only the participant that was asked to run the operation may answer it.'),

  already_serving: conflict('connections', 'Serve under another name, or close the other connection first.'),

  // Grants
  unknown_grant: notFound(
    'state',
    'Check the id: the welcome and GET /spaces/{space}/grants list the grants in force.',
  ),
  not_granter: forbidden('state', 'Ask its granter, or an operator, to revoke it.'),
  not_grantable: forbidden('state', 'Grant only what your own capabilities clearly allow.'),
  too_many_grants: tooMany([], 'Revoke some of them first, or wait until some end.'),

  // Who is let in
  already_exists: conflict(
    'state',
    'Invite under another name, or remove the participant first (mcpx.kick.participant).',
  ),
  not_invitable: forbidden('entry', 'Choose another name, or ask the operator to add the participant.'),
  too_many_invitations: tooMany(
    [],
    'Remove some of those who were invited, or wait until some invitations end.',
  ),
  kicked: forbidden('state', 'Ask someone who may invite (mcpx.invite.participant) to let it in again.'),
  paused: notYet(
    'state',
    'Wait until the pause ends, or ask someone who may pause (participant.resume). Until then, answer, cancel, withdraw or reject.',
  ),
  not_pausable: forbidden('state', 'Ask someone who may do everything (`*`) to pause it.'),
  key_not_allowed: forbidden('state', 'Ask an operator for a code (`proffer keys allow NAME`).'),
  key_exists: conflict('state', 'Make another key.'),
  unknown_key: notFound('state', 'List the keys (`proffer keys list`).'),
  too_many_keys: tooMany([], 'Revoke one first.'),
  not_kickable: forbidden('state', 'Ask someone who may do everything (`*`) to remove it.'),

  // Rules
  invalid_rules: broken('Fix the file. Until then, processes that loaded it before keep their rules.'),
  unreadable_rules: broken(
    'Check its path and permissions. Until then, processes that loaded it before keep their rules.',
  ),

  // Records
  invalid_record: broken('Proffer did not write this record: restore the journal from a backup.'),
  unknown_record_schema: broken('Read this journal with a newer version of Proffer.'),
  record_out_of_order: broken('A record is missing or repeated: restore the journal from a backup.'),
  broken_chain: broken('An earlier record was changed or removed: restore the journal from a backup.'),
  wrong_hash: broken('This record was changed after it was written: restore the journal from a backup.'),

  // The journal
  unavailable: unavailable(
    'Retry in a moment; a message resent with the same id counts once. If it persists, tell the operator.',
  ),
  journal_locked: broken('Stop the other process first, or use another folder.'),
  journal_damaged: broken(
    'Restore the folder from a backup. Without one, `proffer repair` shows what can be recovered.',
  ),
  unusable_folder: broken('Give this user read and write access to it, or choose another folder.'),
  disk_full: broken('Free some space, or choose a folder on another disk.'),
  unknown_journal_format: broken('Open it with the version of Proffer that wrote it, or a newer one.'),
  unsafe_stream: broken(
    'Change the servers or the stream as described; the gateway creates a missing stream.',
  ),
  journal_unreachable: broken('Nothing was changed.'),
  forged_record: broken(
    'List such messages with `proffer verify`, find out who wrote them, and delete them.',
  ),
  no_log: notFound('entry', 'Set evidence.key in the configuration; `proffer init` makes a key.'),
  not_in_log: notFound(
    'end',
    'Ask for a new checkpoint with `POST /checkpoint`: it covers the newest records too.',
  ),
  cannot_hide: invalid(
    'Ask for arguments that can be hidden, or give the file only to those who may see everything.',
  ),
  too_much_evidence: tooLarge(
    [],
    'Ask for less, such as one proposal or a shorter time, or copy the journal with `proffer copy`, and verify the copy.',
  ),
  rewritten_journal: broken(
    'Keep the journal as it is, find out who changed it, and restore it from a backup. `proffer verify` shows where it differs. To start a new journal instead, delete that checkpoint and the key of the log, and make a new key with `proffer key --log NAME`.',
  ),
  unusable_log_key: broken(
    'Make one with `proffer key --log NAME`, and keep it where only the gateway can read it.',
  ),
  unusable_keys: broken('Give all gateways on a journal the same keys; `proffer key` makes one.'),
  insecure_nats: broken('Change the servers, or allow it with journal.nats.allow_insecure: true.'),
  no_stream: broken('Name another stream or other servers, or start a gateway there to create it.'),

  // Negotiation: the codes of the MACP wire
  UNAUTHENTICATED: onTheWire(
    'UNAUTHENTICATED',
    unauthenticated(
      'Send with a token of that sender, or set `sender` to the name that the token belongs to.',
    ),
  ),
  FORBIDDEN: onTheWire(
    'FORBIDDEN',
    forbidden('entry', 'Act as a participant whom the session and its policy allow to do this.'),
  ),
  SESSION_NOT_FOUND: onTheWire(
    'SESSION_NOT_FOUND',
    notFound('entry', 'Check the session id; start the session first.'),
  ),
  SESSION_NOT_OPEN: onTheWire(
    'SESSION_NOT_OPEN',
    conflict('entry', 'Check the state of the session; start a new one if it has ended.'),
  ),
  DUPLICATE_MESSAGE: onTheWire(
    'DUPLICATE_MESSAGE',
    conflict('entry', 'Nothing to do: the message was accepted the first time.'),
  ),
  SESSION_ALREADY_EXISTS: onTheWire('SESSION_ALREADY_EXISTS', {
    ...conflict('entry', 'Start a session under a new id, or join the one that exists.'),
    grpc: 'ALREADY_EXISTS',
  }),
  INVALID_ENVELOPE: onTheWire(
    'INVALID_ENVELOPE',
    invalid('Correct the message and send it again; a refused message does not use up its message id.'),
  ),
  UNSUPPORTED_PROTOCOL_VERSION: onTheWire('UNSUPPORTED_PROTOCOL_VERSION', invalid('Use version "1.0".')),
  MODE_NOT_SUPPORTED: onTheWire('MODE_NOT_SUPPORTED', invalid('Use a mode that ListModes returns.')),
  RATE_LIMITED: onTheWire(
    'RATE_LIMITED',
    tooMany(
      ['negotiationMessagesPerParticipant', 'sessionStartsPerParticipant', 'sessionStarts'],
      'Wait for `retry_after_ms`, then retry; send less often.',
    ),
  ),
  PAYLOAD_TOO_LARGE: onTheWire(
    'PAYLOAD_TOO_LARGE',
    tooLarge(['negotiationPayloadSize'], 'Send less in one message, or ask the operator to raise the limit.'),
  ),
  INVALID_SESSION_ID: onTheWire(
    'INVALID_SESSION_ID',
    invalid('Use a lower-case UUID (v4 or v7), or 22 or more base64url characters.'),
  ),
  UNKNOWN_POLICY_VERSION: onTheWire(
    'UNKNOWN_POLICY_VERSION',
    notFound('entry', 'Register the policy first, or leave `policy_version` empty for policy.default.'),
  ),
  POLICY_DENIED: onTheWire(
    'POLICY_DENIED',
    forbidden(
      'entry',
      'Meet the conditions named in the reasons, or choose an outcome that the policy allows.',
    ),
  ),
  INTERNAL_ERROR: onTheWire(
    'INTERNAL_ERROR',
    unavailable('Nothing was recorded; retry in a moment. If it persists, tell the operator.'),
  ),
  INVALID_POLICY_DEFINITION: onTheWire(
    'INVALID_POLICY_DEFINITION',
    invalid('Correct the definition and register it again.'),
  ),
  REGISTRY_READ_ONLY: onTheWire(
    'REGISTRY_READ_ONLY',
    conflict('entry', 'Ask the operator to change the files, and to restart the gateway.'),
  ),
  STREAM_LAGGED: onTheWire('STREAM_LAGGED', {
    ...tooMany([], 'Reconnect with the last sequence number that you received, and read faster.'),
    http: 503,
  }),
  RECEIPT_UNAVAILABLE: onTheWire(
    'RECEIPT_UNAVAILABLE',
    conflict('entry', 'Ask again when the session is resolved; other sessions have no receipt.'),
  ),
  HISTORY_UNAVAILABLE: onTheWire(
    'HISTORY_UNAVAILABLE',
    conflict('entry', 'Use a copy of the history, if there is one: the gateway cannot give it out.'),
  ),
} satisfies Record<string, RefusalRow> & Record<MacpCode, RefusalRow>;

/** The closed set of codes. */
export type RefusalCode = keyof typeof REFUSALS;

/** What is known of a code that another program sent; `undefined` for one that only a newer version has. */
export function refusalRow(code: string): RefusalRow | undefined {
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as RefusalCode] : undefined;
}

/** The codes that report a limit of the configuration. */
export type LimitCode = {
  [Code in RefusalCode]: (typeof REFUSALS)[Code]['limits'] extends readonly [] ? never : Code;
}[RefusalCode];
