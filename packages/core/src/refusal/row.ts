/** The codes of the MACP wire. Its clients know no others. */
export type MacpCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_NOT_OPEN'
  | 'DUPLICATE_MESSAGE'
  | 'SESSION_ALREADY_EXISTS'
  | 'INVALID_ENVELOPE'
  | 'UNSUPPORTED_PROTOCOL_VERSION'
  | 'MODE_NOT_SUPPORTED'
  | 'RATE_LIMITED'
  | 'PAYLOAD_TOO_LARGE'
  | 'INVALID_SESSION_ID'
  | 'UNKNOWN_POLICY_VERSION'
  | 'POLICY_DENIED'
  | 'INTERNAL_ERROR'
  | 'INVALID_POLICY_DEFINITION'
  | 'HISTORY_UNAVAILABLE'
  | 'RECEIPT_UNAVAILABLE'
  | 'REGISTRY_READ_ONLY'
  | 'STREAM_LAGGED';

/** The gRPC statuses that a refusal can end a call with. */
export type GrpcRefusalStatus =
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED';

/** The keys under `limits` in a configuration that a refusal can be about. */
export type LimitName =
  | 'messageSize'
  | 'messageDepth'
  | 'messagesPerParticipant'
  | 'badMessagesPerConnection'
  | 'connectionsPerToken'
  | 'streamsPerToken'
  | 'pendingProposalsPerParticipant'
  | 'negotiationPayloadSize'
  | 'negotiationMessagesPerParticipant'
  | 'sessionStartsPerParticipant'
  | 'sessionStarts'
  | 'openSessionsPerParticipant'
  | 'openSessions';

/** What callers need to know about a refusal besides its status. */
interface Meaning {
  /** Whether records that the decider has not seen yet could change the answer (O-41). */
  readonly mayBeOutdated: boolean;
  /** Whether only a message that is not on record gets it: duplicates were recognised before (O-3). */
  readonly notRecorded: boolean;
  /** Whether the call is left to others, so that an agent should step back (O-28). */
  readonly leftToOthers: boolean;
  /** Whether an approved call waits for its executor instead of ending (O-37). */
  readonly waitsForExecutor: boolean;
}

/** Everything that follows from a refusal's code alone, on every transport. */
export interface RefusalRow extends Meaning {
  /** What its reader should do next: one or more sentences. */
  readonly advice: string;
  readonly http: number;
  readonly grpc: GrpcRefusalStatus;
  /** What it is called on the MACP wire. */
  readonly macp: MacpCode;
  /** Whether the same message, unchanged and under the same id, may be accepted later. */
  readonly retryable: boolean;
  /** The settings whose limit it reports; none for a fixed limit. */
  readonly limits: readonly LimitName[];
}

/** A row whose limits the compiler knows. */
type RowOf<Limits extends readonly LimitName[]> = RefusalRow & { readonly limits: Readonly<Limits> };

const NONE: Meaning = {
  mayBeOutdated: false,
  notRecorded: false,
  leftToOthers: false,
  waitsForExecutor: false,
};

/** What a refusal about the current state is based on. A new code of this kind must choose one. */
const GROUNDS = {
  /** Rights, names and routes: checked before it is known whether the message is a duplicate. */
  entry: { ...NONE, mayBeOutdated: true },
  /** Current connections, which no record contains. */
  connections: NONE,
  /** The recorded state. */
  state: { ...NONE, mayBeOutdated: true, notRecorded: true },
  /** The review policy. */
  review: { ...NONE, mayBeOutdated: true, notRecorded: true, leftToOthers: true },
  /** Who has announced that they can run it. */
  executors: { ...NONE, mayBeOutdated: true, notRecorded: true, waitsForExecutor: true },
  /** Like `executors`, but a person has to see who would run it. */
  newcomer: {
    ...NONE,
    mayBeOutdated: true,
    notRecorded: true,
    waitsForExecutor: true,
    leftToOthers: true,
  },
  /** Which of the possible executors are connected, which no record contains. */
  presence: { ...NONE, notRecorded: true, waitsForExecutor: true },
  /** What has ended stays ended. */
  end: { ...NONE, notRecorded: true },
} as const satisfies Record<string, Meaning>;

type Grounds = keyof typeof GROUNDS;

function rowFactory(
  http: number,
  grpc: GrpcRefusalStatus,
  rest: { readonly macp?: MacpCode; readonly retryable?: boolean } = {},
): (advice: string) => RowOf<[]> {
  const { macp = 'INVALID_ENVELOPE', retryable = false } = rest;
  return (advice) => ({ advice, http, grpc, macp, retryable, limits: [], ...NONE });
}

function stateRowFactory(
  ...given: Parameters<typeof rowFactory>
): (grounds: Grounds, advice: string) => RowOf<[]> {
  const row = rowFactory(...given);
  return (grounds, advice) => ({ ...row(advice), ...GROUNDS[grounds] });
}

function limitRowFactory(
  ...given: Parameters<typeof rowFactory>
): <const Limits extends readonly LimitName[]>(limits: Limits, advice: string) => RowOf<Limits> {
  const row = rowFactory(...given);
  return (limits, advice) => ({ ...row(advice), limits });
}

/** Something is wrong with the message itself. */
export const invalid = rowFactory(400, 'INVALID_ARGUMENT');
/** The sender is unknown. */
export const unauthenticated = rowFactory(401, 'UNAUTHENTICATED', { macp: 'UNAUTHENTICATED' });
/** The sender may not do this. */
export const forbidden = stateRowFactory(403, 'PERMISSION_DENIED', { macp: 'FORBIDDEN' });
/** The message refers to something that does not exist, as far as the sender may know. */
export const notFound = stateRowFactory(404, 'NOT_FOUND');
/** The current state does not allow it. */
export const conflict = stateRowFactory(409, 'FAILED_PRECONDITION');
/** Like `conflict`, but temporary. */
export const notYet = stateRowFactory(409, 'FAILED_PRECONDITION', { retryable: true });
export const tooLarge = limitRowFactory(413, 'RESOURCE_EXHAUSTED', { macp: 'PAYLOAD_TOO_LARGE' });
export const tooDeep = limitRowFactory(400, 'INVALID_ARGUMENT');
/** A limit was reached. */
export const tooMany = limitRowFactory(429, 'RESOURCE_EXHAUSTED', { macp: 'RATE_LIMITED', retryable: true });
/** The gateway cannot do it at the moment. */
export const unavailable = rowFactory(503, 'UNAVAILABLE', { macp: 'INTERNAL_ERROR', retryable: true });
/** For the operator: no client can do anything about it. */
export const broken = rowFactory(500, 'INTERNAL', { macp: 'INTERNAL_ERROR' });

/** A code of the MACP wire has the same name there. */
export function onTheWire<Row extends RefusalRow>(macp: MacpCode, row: Row): Row {
  return { ...row, macp };
}
