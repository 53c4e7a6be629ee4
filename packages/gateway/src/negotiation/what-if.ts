import { setImmediate as nextTurn } from 'node:timers/promises';
import { failure, type Result, refuse, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import {
  type KnownPolicy,
  NO_HISTORY,
  type ReplayedRecord,
  replayUnder,
  type Session,
  type SessionRecord,
  type SessionStatus,
  sessionStream,
} from '@proffer/core/negotiation';
import type { Journal } from '@proffer/journal';
import { encodePayload } from '@proffer/wire';

/** The wire's `WhatIfReplayResponse`, with its field names; bytes are in base64. */
export type WhatIfReport = {
  readonly candidate_policy_id: string;
  readonly recorded_policy_id: string;
  readonly recorded: WhatIfOutcome;
  readonly candidate: WhatIfOutcome;
  readonly first_divergence?: number;
  readonly denials: readonly WhatIfDenial[];
  readonly entries: readonly WhatIfEntry[];
};

/** How a session ended under one of the two policies. */
export type WhatIfOutcome = {
  readonly state: SessionStatus | 'UNSPECIFIED';
  readonly resolution: string;
  readonly resolved_by_history_index: number;
  readonly resolved_by_message_id: string;
  readonly resolved_by_message_type: string;
};

/** What became of one message. */
export type WhatIfEntryOutcome = {
  readonly kind: ReplayedRecord['kind'];
  readonly state: SessionStatus | 'UNSPECIFIED';
  readonly error_code: string;
  readonly details: string;
};

export type WhatIfEntry = {
  readonly history_index: number;
  readonly message_id: string;
  readonly message_type: string;
  readonly recorded: WhatIfEntryOutcome;
  readonly candidate: WhatIfEntryOutcome;
};

type WhatIfDenial = {
  readonly history_index: number;
  readonly message_id: string;
  readonly details: string;
};

/** The largest report, in bytes: gRPC clients read four megabytes by default (I-7). */
const LARGEST_REPORT = 3_500_000;

/** About how many bytes an entry has besides its texts, on the wire. */
const ENTRY_BYTES = 32;

/** Others get a turn after this many records. */
const AT_ONCE = 64;

/** Replays a session under another policy, and says what would differ (N-27). Nothing is changed. */
export async function reportWhatIf(
  journal: Journal,
  session: Session,
  policy: KnownPolicy,
): Promise<Result<WhatIfReport>> {
  const entries: WhatIfEntry[] = [];
  const denials: WhatIfDenial[] = [];
  let replayed = NO_HISTORY;
  let resolvedBy = { recorded: UNRESOLVED, candidate: UNRESOLVED };
  let size = 0;
  for await (const stored of journal.read(sessionStream(session.id))) {
    const record = stored as typeof stored & SessionRecord;
    // What came in since the session was found is for the next report.
    if (stored.version > session.version) break;
    const { after, recorded, candidate } = replayUnder(policy.rules, replayed, record);
    replayed = after;
    const entry = entryOf(record, entries.length, { recorded, candidate });
    size +=
      ENTRY_BYTES + entry.message_id.length + entry.message_type.length + entry.candidate.details.length * 2;
    if (size > LARGEST_REPORT) return failure(refuseLong(session.id));
    if (entries.push(entry) % AT_ONCE === 0) await nextTurn();
    if (entry.candidate.error_code === 'POLICY_DENIED') {
      const { history_index, message_id } = entry;
      denials.push({ history_index, message_id, details: entry.candidate.details });
    }
    resolvedBy = {
      recorded: resolution(entry, record, entry.recorded) ?? resolvedBy.recorded,
      candidate: resolution(entry, record, entry.candidate) ?? resolvedBy.candidate,
    };
  }
  const first = entries.find(
    ({ recorded, candidate }) => JSON.stringify(recorded) !== JSON.stringify(candidate),
  );
  return success({
    candidate_policy_id: policy.id,
    recorded_policy_id: session.policyVersion,
    recorded: { state: replayed.recorded?.status ?? 'UNSPECIFIED', ...resolvedBy.recorded },
    candidate: { state: replayed.candidate?.status ?? 'UNSPECIFIED', ...resolvedBy.candidate },
    ...(first === undefined ? {} : { first_divergence: first.history_index }),
    denials,
    entries,
  });
}

const UNRESOLVED: Omit<WhatIfOutcome, 'state'> = {
  resolution: '',
  resolved_by_history_index: 0,
  resolved_by_message_id: '',
  resolved_by_message_type: '',
};

function entryOf(
  { envelope: { message_id, message_type } }: SessionRecord,
  history_index: number,
  { recorded, candidate }: { readonly recorded: ReplayedRecord; readonly candidate: ReplayedRecord },
): WhatIfEntry {
  return {
    history_index,
    message_id,
    message_type,
    recorded: outcomeOf(recorded),
    candidate: outcomeOf(candidate),
  };
}

function outcomeOf(replayed: ReplayedRecord): WhatIfEntryOutcome {
  const { kind } = replayed;
  const none = { kind, state: 'UNSPECIFIED', error_code: '', details: '' } as const;
  if (kind === 'APPLIED') return { ...none, state: replayed.state };
  if (kind !== 'REFUSED') return none;
  const { code, details } = replayed.refusal;
  if (code !== 'POLICY_DENIED') return { ...none, error_code: code };
  return { ...none, error_code: code, details: Buffer.from(JSON.stringify(details)).toString('base64') };
}

/** What resolved the session, if this entry did. */
function resolution(
  { history_index, message_id, message_type }: WhatIfEntry,
  { envelope }: SessionRecord,
  { kind, state }: WhatIfEntryOutcome,
): Omit<WhatIfOutcome, 'state'> | undefined {
  if (kind !== 'APPLIED' || state !== 'RESOLVED') return undefined;
  return {
    resolution: Buffer.from(encodePayload(envelope, envelope.payload)).toString('base64'),
    resolved_by_history_index: history_index,
    resolved_by_message_id: message_id,
    resolved_by_message_type: message_type,
  };
}

function refuseLong(id: string) {
  return refuse('HISTORY_UNAVAILABLE', `Session ${quote(id)} is too long to be replayed in one answer.`);
}
