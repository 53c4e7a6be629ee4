import { type HashText } from '@proffer/core';
import { defined, type JsonValue } from '@proffer/core/json';
import { type SessionRecord, type SessionState, sessionDecider } from '@proffer/core/negotiation';
import { evolveSpace, type OperationRecord } from '@proffer/core/operations';
import { parseRecord, type SealedRecord, verifyStream } from '@proffer/core/records';
import type { Benchmark, Measurement } from '../benchmark.js';
import { sampleInTurns, speeds, type Variant } from '../sampling.js';
import { createTable, nextMessage, participantNames, send as sendInSession } from './messages/negotiation.js';
import {
  answer,
  createWorld,
  fulfil,
  propose,
  reportStatus,
  send as sendInSpace,
} from './messages/operations.js';
import { nativeSha256 } from './native-sha256.js';
import { sealAll } from './seal-all.js';

/** Folding the records of a journal, with and without verifying the hash chain. */
export const replay: Benchmark = {
  name: 'core/replay',
  about: 'records folded per second: as they are, with the hash chain verified, from JSON text',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 1 : 3, counted: quick ? 5 : 15 };
    const streams = quick ? 400 : 1000;
    return [
      ...measurePlane('operations', proposalStreams(streams), foldSpace, rounds),
      ...measurePlane('negotiation', sessionStreams(streams / 25), foldSession, rounds),
    ];
  },
};

type Streams<Record extends SealedRecord> = readonly (readonly Record[])[];

function measurePlane<Record extends SealedRecord>(
  plane: string,
  streams: Streams<Record>,
  fold: (streams: Streams<Record>) => void,
  rounds: { readonly warmUp: number; readonly counted: number },
): readonly Measurement[] {
  const records = streams.flat().length;
  const texts = streams.map((stream) => stream.map((record) => JSON.stringify(record)));
  const variant = (how: string, work: () => void): Variant => ({
    parameters: { plane, how },
    round: (time) => time(`replay ${plane}`, records, work),
  });
  const variants = [
    variant('fold', () => fold(streams)),
    variant('verify with node:crypto, fold', () => fold(verified(streams, nativeSha256))),
    variant('verify with pure SHA-256, fold', () => fold(verified(streams))),
    variant('parse, fold', () => fold(parsed(texts))),
    variant('parse, verify with node:crypto, fold', () =>
      fold(verified(parsed<Record>(texts), nativeSha256)),
    ),
  ];
  return speeds(sampleInTurns(variants, rounds), 'records/s');
}

function verified<Record extends SealedRecord>(streams: Streams<Record>, hash?: HashText): Streams<Record> {
  for (const stream of streams) {
    const result = verifyStream(stream, defined({ hash }));
    if (!result.ok) throw new Error(result.refusal.message);
  }
  return streams;
}

function parsed<Record extends SealedRecord>(texts: readonly (readonly string[])[]): Streams<Record> {
  return texts.map((stream) =>
    stream.map((text) => {
      const record = parseRecord(JSON.parse(text) as JsonValue);
      if (!record.ok) throw new Error(record.refusal.message);
      return record.value as Record;
    }),
  );
}

function foldSpace(streams: Streams<SealedRecord<OperationRecord>>): void {
  let { space } = createWorld();
  for (const stream of streams) for (const record of stream) space = evolveSpace(space, record);
}

function foldSession(streams: Streams<SealedRecord<SessionRecord>>): void {
  for (const stream of streams) {
    let state: SessionState = sessionDecider.initial;
    for (const record of stream) state = sessionDecider.evolve(state, record);
  }
}

/** Proposals with a comment, a fulfilment and an answer: four records each. */
function proposalStreams(count: number): Streams<SealedRecord<OperationRecord>> {
  const world = createWorld();
  return Array.from({ length: count }, (_, number) => {
    const id = `proposal-${number}`;
    const messages = [
      propose(id),
      reportStatus(`status-${number}`, id),
      fulfil(`request-${number}`, id),
      answer(`answer-${number}`, `request-${number}`),
    ];
    return sealAll(
      `main/proposal/${id}`,
      messages.flatMap((message) => sendInSpace(world, message)),
    );
  });
}

/** Sessions of a hundred messages each. */
function sessionStreams(count: number): Streams<SealedRecord<SessionRecord>> {
  return Array.from({ length: count }, (_, number) => {
    const table = createTable(number, participantNames(2));
    const records = Array.from({ length: 100 }, () => sendInSession(table, nextMessage(table))).flat();
    return sealAll(`main/session/${table.id}`, records);
  });
}
