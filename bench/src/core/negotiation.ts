import { type SendCommand, sessionDecider } from '@proffer/core/negotiation';
import type { Benchmark, Measurement } from '../benchmark.js';
import { costs, enough, repeat, sampleInTurns, type Variant } from '../sampling.js';
import {
  accept,
  CONTEXT,
  commit,
  createTable,
  nextMessage,
  participantNames,
  send,
  type Table,
} from './messages/negotiation.js';

/** Deciding a message and folding its record, in sessions of different lengths and sizes (I-8). */
export const negotiation: Benchmark = {
  name: 'core/negotiation',
  about:
    'decide + evolve of one message in a session: by length and number of participants; deciding a commitment',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 4 : 10, counted: quick ? 9 : 25 };
    const lengths = quick ? [10, 1000, 50_000] : [10, 1000, 50_000, 100_000];
    const perRound = quick ? 250 : 1000;
    const crowds = [2, 100, 1000];
    return [
      ...costs(
        sampleInTurns(
          lengths.map((messages) => longSession(messages, perRound)),
          rounds,
        ),
        'ns/message',
      ),
      ...costs(
        sampleInTurns(
          crowds.map((participants) => crowdedSession(participants, perRound)),
          rounds,
        ),
        'ns/message',
      ),
    ];
  },
};

interface Job {
  readonly table: Table;
  readonly command: SendCommand;
}

function prepare(tables: readonly Table[], perRound: number): readonly Job[] {
  return Array.from({ length: perRound }, (_, index) => {
    const table = tables[index % tables.length] as Table;
    return { table, command: nextMessage(table) };
  });
}

function doAll(jobs: readonly Job[]): void {
  for (const { table, command } of jobs) send(table, command);
}

/** Two-party sessions with a given number of messages; the shorter they are, the more sessions. */
function longSession(messages: number, perRound: number): Variant {
  const sessions = Math.max(1, Math.min(perRound, Math.floor((perRound * 100) / messages)));
  const tables = Array.from({ length: sessions }, (_, index) => createTable(index, participantNames(2)));
  for (const table of tables) {
    for (let sent = 0; sent < messages; sent++) send(table, nextMessage(table));
  }
  return {
    parameters: { messages },
    round(time) {
      const jobs = prepare(tables, perRound);
      time('message in a session', perRound, () => doAll(jobs));
    },
  };
}

/** Ten sessions with a given number of participants. */
function crowdedSession(participants: number, perRound: number): Variant {
  const names = participantNames(participants);
  const tables = Array.from({ length: 10 }, (_, index) => createTable(index, names));
  for (const table of tables) doAll([{ table, command: nextMessage(table) }]);
  const open = offered(names);
  const agreed = offered(names);
  for (const name of names) send(agreed, accept(agreed, name));
  const inTime = decideCommitment(agreed, 'records');
  const tooEarly = decideCommitment(open, 'refused');
  const times = { inTime: enough(inTime), tooEarly: enough(tooEarly) };
  return {
    parameters: { participants },
    round(time) {
      const jobs = prepare(tables, perRound);
      time('message among participants', perRound, () => doAll(jobs));
      time('decide a commitment: agreed', times.inTime, () => repeat(times.inTime, inTime));
      time('decide a commitment: too early', times.tooEarly, () => repeat(times.tooEarly, tooEarly));
    },
  };
}

/** A session with one open offer. */
function offered(names: readonly string[]): Table {
  const table = createTable(0, names);
  for (let sent = 0; sent < 2; sent++) send(table, nextMessage(table));
  return table;
}

/** Decides a commitment without folding it, so it can be decided again. */
function decideCommitment(table: Table, expected: 'records' | 'refused'): () => void {
  const command = commit(table);
  return () => {
    const decision = sessionDecider.decide(table.state, command, CONTEXT);
    if (decision[expected] === undefined) throw new Error(`not ${expected}: ${JSON.stringify(decision)}`);
  };
}
