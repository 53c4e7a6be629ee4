import { type Envelope } from '@proffer/core';
import { type SendCommand } from '@proffer/core/negotiation';
import { decideInSpace, evolveSpace } from '@proffer/core/operations';
import type { Benchmark, Measurement, Parameters } from '../benchmark.js';
import { summarise } from '../statistics.js';
import { heapUsed } from './heap.js';
import {
  createTable,
  nextMessage,
  participantNames,
  send as sendInSession,
  type Table,
} from './messages/negotiation.js';
import { createWorld, NOW, propose, say, send as sendInSpace, type World } from './messages/operations.js';

/** Memory a host needs per open proposal and session. */
export const memory: Benchmark = {
  name: 'core/memory',
  about: 'heap per pending proposal and per open session, garbage collected before and after',
  measure({ quick }): readonly Measurement[] {
    const count = quick ? 5000 : 100_000;
    const rounds = quick ? 1 : 3;
    return [
      ...summariseHeap('pending proposal', rounds, () => heapOfProposals(count, { things: [] })),
      ...summariseHeap('open session', rounds, () => heapOfSessions(count, 1, { things: [] })),
      ...summariseHeap('open session', rounds, () => heapOfSessions(count / 5, 10, { things: [] })),
    ];
  },
};

interface Heap {
  readonly parameters: Parameters;
  readonly bytes: number;
}

function summariseHeap(name: string, rounds: number, measure: () => readonly Heap[]): readonly Measurement[] {
  const taken = Array.from({ length: rounds }, measure);
  return (taken[0] ?? []).map(({ parameters }, index) => {
    const { median, spread } = summarise(taken.map((heaps) => heaps[index]?.bytes ?? 0));
    return { name, value: median, unit: `B/${name}`, parameters, spread };
  });
}

/** Keeps something reachable until it is emptied; a local variable may be collected after its last use. */
interface Shelf<Thing> {
  things: readonly Thing[];
}

/**
 * `beside its message`: the message is in memory too, and what the state shares with it is not counted. `by
 * itself`: the message is released. `after the dedup window`: so are the recent ids (O-3).
 */
function heapOfProposals(count: number, shelf: Shelf<Envelope>): readonly Heap[] {
  const world = createWorld();
  const empty = heapUsed();
  shelf.things = Array.from({ length: count }, (_, index) => propose(`proposal-${index}`));
  const withMessages = heapUsed();
  for (const message of shelf.things) sendInSpace(world, message);
  const withBoth = heapUsed();
  shelf.things = [];
  const byItself = heapUsed();
  forgetIds(world);
  const withoutIds = heapUsed();
  if (world.space.proposals.size !== count) throw new Error('not all are pending');
  const figure = (counted: string, bytes: number): Heap => ({
    parameters: { proposals: count, counted },
    bytes: bytes / count,
  });
  return [
    figure('the message alone', withMessages - empty),
    figure('beside its message', withBoth - withMessages),
    figure('by itself', byItself - empty),
    figure('by itself, after the dedup window', withoutIds - empty),
  ];
}

/** Advances the clock until all remembered ids are forgotten. */
function forgetIds(world: World): void {
  const later = { now: NOW + 3 * world.space.settings.dedupWindow, isPresent: () => true };
  const decision = decideInSpace(world.space, say('later', 'agent'), later);
  for (const append of decision.appends ?? []) {
    for (const record of append.records) world.space = evolveSpace(world.space, record);
  }
}

function heapOfSessions(
  count: number,
  messages: number,
  shelf: Shelf<readonly SendCommand[]>,
): readonly Heap[] {
  const participants = participantNames(2);
  const tables = Array.from({ length: count }, (_, index) => createTable(index, participants));
  const empty = heapUsed();
  shelf.things = tables.map((table) => Array.from({ length: messages }, () => nextMessage(table)));
  const withMessages = heapUsed();
  for (const [index, table] of tables.entries()) play(table, shelf.things[index] ?? []);
  const withBoth = heapUsed();
  shelf.things = [];
  const byItself = heapUsed();
  if (tables.some(({ state }) => state?.version !== messages)) throw new Error('not all are open');
  const figure = (counted: string, bytes: number): Heap => ({
    parameters: { sessions: count, messages, counted },
    bytes: bytes / count,
  });
  return [
    figure('the messages alone', withMessages - empty),
    figure('beside its messages', withBoth - withMessages),
    figure('by itself', byItself - empty),
  ];
}

function play(table: Table, commands: readonly SendCommand[]): void {
  for (const command of commands) sendInSession(table, command);
}
