import { checkDecisions } from './check-decisions.js';

/** What one client was told while things failed. */
export interface ClientHistory {
  readonly name: string;
  /** Every message with a `seq`, in the order of first arrival. */
  readonly seen: readonly SeenMessage[];
  /** Its own messages that it saw in the journal's order. */
  readonly acknowledged: readonly Acknowledgement[];
  /** The ids of its messages that were refused for good, with no other copy in flight. */
  readonly refused: readonly string[];
  /** What it was told with each refusal about a proposal. */
  readonly told: readonly ToldRefusal[];
  /** What it noticed itself: repeated messages. */
  readonly broken: readonly string[];
}

export interface SeenMessage {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
}

/** What a client was told when its message about a proposal was refused. */
export interface ToldRefusal {
  readonly id: string;
  readonly code: string;
  readonly proposal: string;
  /** How the proposal ended and who decided that, if it has ended. */
  readonly state?: string;
  readonly by?: string;
}

export interface Acknowledgement {
  readonly id: string;
  readonly seq: number;
  /** When it was first sent and when it was acknowledged, in milliseconds of one clock for all clients. */
  readonly sentAt: number;
  readonly heardAt: number;
}

/** A fact from the journal. */
export interface OperationFact {
  readonly seq: number;
  readonly id: string;
  readonly principal: string;
  readonly type: string;
  /** The proposal it is about. */
  readonly proposal?: string;
  /** For a proposal that nobody fulfilled: whether this ends it. */
  readonly isFinal?: boolean;
  /** For a proposal: who alone may fulfil it until it is opened. */
  readonly reservedFor?: readonly string[];
  /** For a proposal: how many must approve it. */
  readonly needed?: number;
}

export interface OperationsHistory {
  readonly clients: readonly ClientHistory[];
  /** Who runs fulfilled calls. */
  readonly executor: string;
  /** Every proposal made; each has been decided by the end. */
  readonly proposals: readonly string[];
  readonly records: readonly OperationFact[];
}

/** Compares what clients were told with the journal. Returns the problems. */
export function checkOperations(history: OperationsHistory): readonly string[] {
  return [
    ...checkOrder(history),
    ...history.clients.flatMap((client) => checkClient(client, history)),
    ...checkRealTime(history.clients),
    ...checkDecisions(history),
  ];
}

function checkOrder({ records }: OperationsHistory): readonly string[] {
  const disordered = records.filter(({ seq }, index) => seq <= (records[index - 1]?.seq ?? 0));
  return [
    ...disordered.map(({ seq, id }) => `the journal has ${id} at ${seq} behind a later record`),
    ...repeated(records.map(({ id }) => id)).map((id) => `the journal has ${id} more than once`),
  ];
}

function checkClient(client: ClientHistory, { records }: OperationsHistory): readonly string[] {
  const { name, acknowledged, refused, seen, broken } = client;
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  const ids = new Set(records.map(({ id }) => id));
  const lost = acknowledged.filter(({ id, seq }) => {
    const record = bySeq.get(seq);
    return record?.id !== id || record.principal !== name;
  });
  // Everyone may see everything here, so everyone has seen all there is, once and in order.
  const differs = records.findIndex(
    ({ seq, id }, index) => seen[index]?.seq !== seq || seen[index].id !== id,
  );
  const missed = seen.length > records.length ? records.length : differs;
  const found = seen[missed];
  return [
    ...broken.map((what) => `${name}: ${what}`),
    ...lost.map(({ id, seq }) => `${name} was told that ${id} is at ${seq}, and it is not`),
    ...refused
      .filter((id) => ids.has(id))
      .map((id) => `${name} was told that ${id} is refused, and it is there`),
    ...(missed === -1
      ? []
      : [
          `${name} saw ${found?.id ?? 'nothing'} at ${found?.seq ?? 'the end'} where the journal has ${records[missed]?.id ?? 'nothing'} at ${records[missed]?.seq ?? 'the end'}`,
        ]),
  ];
}

/**
 * A message sent after an acknowledgement comes after the acknowledged one: the journal's order is a possible
 * one.
 */
function checkRealTime(clients: readonly ClientHistory[]): readonly string[] {
  const all = clients.flatMap(({ acknowledged }) => acknowledged);
  const byHeard = all.toSorted((left, right) => left.heardAt - right.heardAt);
  let heard = 0;
  let highest: Acknowledgement | undefined;
  const wrong: string[] = [];
  for (const one of all.toSorted((left, right) => left.sentAt - right.sentAt)) {
    for (; (byHeard[heard]?.heardAt ?? Number.POSITIVE_INFINITY) < one.sentAt; heard++) {
      const before = byHeard[heard];
      if (before !== undefined && before.seq > (highest?.seq ?? 0)) highest = before;
    }
    if (highest !== undefined && one.seq < highest.seq)
      wrong.push(
        `${one.id} is at ${one.seq} and was sent after ${highest.id} at ${highest.seq} was acknowledged`,
      );
  }
  return wrong;
}

/** The entries that occur more than once. */
export function repeated(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
