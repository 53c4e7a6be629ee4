import type { Envelope } from '../../envelope/envelope.js';
import { formatKind, parseKind } from '../../envelope/kind.js';
import { defined } from '../../json/defined.js';
import { isJsonObject, type JsonObject } from '../../json/json.js';
import type { SealedRecord } from '../../record/record.js';
import { deliveredAcceptance, deliveredCounter } from '../counter/counter.js';
import { deliveredGrant } from '../grants/grant.js';
import type { Approved, Fulfilled, OperationRecord, Proposed, Rejected } from '../records.js';
import { isAmong, isNamed } from '../review/policy.js';
import type { SpaceSettings } from '../settings.js';

/**
 * The message that subscribers get for a record. The record keeps what the sender sent; the gateway's
 * findings are added here: a fulfilment goes to its executor and to no one else who might run it too
 * (O-12, O-26), and a response names the method it answers.
 */
export function deliveredEnvelope(record: OperationRecord): Envelope {
  const { envelope } = record;
  if (record.type === 'fulfilled') return deliveredFulfilment(record);
  if (record.type === 'rejected') return markedRejection(record);
  if (record.type === 'approved') return deliveredApproval(record);
  if (record.type === 'proposed') return deliveredProposal(record);
  if (record.type === 'countered') return deliveredCounter(record);
  if (record.type === 'granted') return deliveredGrant(record);
  if (record.type === 'counter_accepted') return deliveredAcceptance(record);
  if (record.type !== 'answered') return envelope;
  const kind = withMethod(envelope.kind, record.facts.method);
  return kind === envelope.kind ? envelope : { ...envelope, kind };
}

/**
 * What was approved and nothing else (O-25): only the JSON-RPC fields of the payload reach the
 * executor, and the grant it is based on, if any (O-41).
 */
function deliveredFulfilment(record: Fulfilled): Envelope {
  const { envelope, facts } = record;
  const to = addresseesOf(record);
  const own = hasMore(envelope.payload) ? withoutMore(envelope.payload) : envelope.payload;
  const payload = facts.grant === undefined ? own : { ...own, grant: facts.grant };
  const isSame = to === (envelope.to ?? NOBODY) && payload === envelope.payload;
  if (isSame) return envelope;
  return to.length === 0 ? { ...envelope, payload } : Object.assign({}, envelope, { to, payload });
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

function hasMore(payload: JsonObject): boolean {
  for (const key in payload) if (!REQUEST_FIELDS.has(key)) return true;
  return false;
}

function withoutMore(payload: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => REQUEST_FIELDS.has(key)));
}

/**
 * An approval, with the progress so far (O-29). An insufficient request is delivered as an approval,
 * and never to its executor.
 */
function deliveredApproval(record: Approved): Envelope {
  const { protocol, id, ts, from, correlationId, payload, kind } = record.envelope;
  const { digest, executor, given, needed, missing, waitsFor, onBehalfOf, alone } = record.facts;
  const { batch } = payload;
  const params =
    kind.startsWith('mcp.request.') || payload['params'] !== undefined ? payload['params'] : undefined;
  return {
    protocol,
    id,
    ts,
    from,
    kind: 'mcpx.approve.proposal',
    ...(correlationId === undefined ? {} : { correlationId }),
    payload: {
      digest,
      ...(params === undefined ? {} : { params }),
      ...(executor === undefined ? {} : { executor }),
      ...(needed === undefined ? {} : { given, needed, missing }),
      ...(waitsFor === undefined ? {} : { waitsFor }),
      ...(onBehalfOf === undefined ? {} : { onBehalfOf: onBehalfOf.by }),
      ...(alone === undefined ? {} : { alone }),
      ...(batch === undefined ? {} : { batch }),
    },
  };
}

/**
 * The proposal shows what the policy requires, so that reviewers see it before the first approval (O-28), and the grant
 * by which it runs at once, so that no one is asked to decide it (O-41). A proposer cannot claim either.
 */
function deliveredProposal({ envelope, facts: { review, runsBy } }: Proposed): Envelope {
  const { review: claimed, grant: named, ...payload } = envelope.payload;
  if (review === undefined && runsBy === undefined && claimed === undefined && named === undefined)
    return envelope;
  const found = {
    ...(review === undefined ? {} : { review }),
    ...(runsBy === undefined ? {} : { grant: runsBy }),
  };
  return { ...envelope, payload: { ...payload, ...found } };
}

/** Marks whether its sender could have approved (O-31): only the gateway may say so. */
function markedRejection({ envelope, facts }: Rejected): Envelope {
  const { couldApprove: claimed, ...payload } = envelope.payload;
  if (facts.couldApprove === true) return { ...envelope, payload: { ...payload, couldApprove: true } };
  return claimed === undefined ? envelope : { ...envelope, payload };
}

/** The addressees of the delivered message; empty means everyone. */
function addresseesOf(record: OperationRecord): readonly string[] {
  if (record.type === 'approved') return NOBODY;
  const { to = NOBODY } = record.envelope;
  const executor = record.type === 'fulfilled' ? record.facts.executor : undefined;
  return executor === undefined || (to.length === 1 && to[0] === executor) ? to : [executor];
}

/** Responses in some dialects do not name the method; the request that they answer does. */
function withMethod(kind: string, method: string): string {
  const parsed = parseKind(kind);
  if (parsed === undefined || parsed.method !== undefined) return kind;
  return formatKind({ ...parsed, method });
}

/** Someone who follows a space. */
export interface Subscriber {
  readonly name: string;
  /** `directed`: only broadcasts, what is addressed to it (O-21), and its own messages. */
  readonly routing: 'all' | 'directed';
  /** Sees everything, even in a space where addressed messages are private. */
  readonly observer: boolean;
  /** The subscriber's roles in policies: what is for `role:…` is for it (O-33). Default none. */
  readonly roles?: readonly string[] | undefined;
}

/**
 * Whether a subscriber gets the message of a record. Messages in a space are visible to all its
 * participants, unless the space restricts addressed ones to sender, addressees and observers (O-21);
 * fulfiller and proposer always get what concerns them, whatever `to` says (O-14). A sender always
 * gets its own message back: with its `seq`, that is the acknowledgement. In such a space, messages
 * about a proposal reach exactly those who see the proposal, whatever their own `to` says (O-43), and
 * whoever runs it.
 */
export function reaches(
  record: OperationRecord,
  subscriber: Subscriber,
  { visibility }: Pick<SpaceSettings, 'visibility'>,
): boolean {
  if (record.principal === subscriber.name) return true;
  const seenBy = visibility === 'addressed' ? seenByOf(record) : undefined;
  if (seenBy !== undefined && !sees(record, seenBy, subscriber)) return false;
  const to = addresseesOf(record);
  if (to.length === 0) return true;
  if (isAmong(to, subscriber) || audienceOf(record).includes(subscriber.name)) return true;
  if (subscriber.routing === 'directed') return false;
  return visibility === 'all' || subscriber.observer || seenBy !== undefined;
}

function sees(record: OperationRecord, seenBy: readonly string[], subscriber: Subscriber): boolean {
  if (subscriber.observer || isNamed(seenBy, subscriber)) return true;
  // The executor must get the fulfilment.
  return record.type === 'fulfilled' && addresseesOf(record).includes(subscriber.name);
}

function seenByOf({ facts }: OperationRecord): readonly string[] | undefined {
  return 'seenBy' in facts ? facts.seenBy : undefined;
}

/**
 * The participants that a record's message reaches by name or as `role:…`, however they follow; some perhaps
 * twice. `undefined` if it goes to everyone. Others get it only if they get everything visible.
 */
export function namesReachedBy(record: OperationRecord): readonly string[] | undefined {
  const to = addresseesOf(record);
  const seenBy = seenByOf(record);
  if (seenBy === undefined ? to.length === 0 : seenBy.length === 0) return undefined;
  return [record.principal, ...to, ...(seenBy ?? NOBODY), ...audienceOf(record)];
}

/** The participants who get the message of a record whatever its `to` says (O-14). */
function audienceOf({ facts }: OperationRecord): readonly string[] {
  return ('audience' in facts ? facts.audience : undefined) ?? NOBODY;
}

const NOBODY: readonly string[] = [];

/** A record of a space as sealed. */
export type SealedOperation = SealedRecord<OperationRecord>;

/**
 * The `record` that a follower gets with a message, if it asked for records: everything that was
 * sealed and is not in the message itself. It includes the recorded envelope only if the delivered
 * one differs.
 */
export function recordBeside(record: SealedOperation): JsonObject {
  const { type, time, principal, facts, schema, stream, version, prev, hash, envelope, salts } = record;
  const differs = deliveredEnvelope(record) !== envelope;
  return {
    type,
    time,
    principal,
    facts,
    schema,
    stream,
    version,
    prev,
    hash,
    ...(differs ? { envelope } : {}),
    ...defined({ salts }),
  };
}

/**
 * The record of a message that was delivered with one, to be folded or verified. `undefined` for a
 * message without. The sender is trusted to have sent a record: `verifyStream` shows whether it
 * matches the seal.
 */
export function recordInMessage(message: JsonObject): SealedOperation | undefined {
  const { record, seq: _seq, time: _time, ...envelope } = message;
  if (!isJsonObject(record)) return undefined;
  return { ...record, envelope: record['envelope'] ?? envelope } as unknown as SealedOperation;
}
