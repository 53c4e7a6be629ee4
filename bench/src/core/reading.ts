import { Buffer } from 'node:buffer';
import { readMessage } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import type { Benchmark, Measurement } from '../benchmark.js';
import { sampleInTurns, speeds, type Variant } from '../sampling.js';
import { propose } from './messages/operations.js';

/** Texts per batch: different ones, so none is parsed twice in a row. */
const TEXTS = 64;

/** Reading an untrusted message, compared with plain `JSON.parse` as the lower bound. */
export const reading: Benchmark = {
  name: 'core/reading',
  about: 'readMessage compared with bare JSON.parse, for messages of several sizes',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 4 : 15, counted: quick ? 9 : 40 };
    const shapes: readonly Shape[] = [
      { bytes: 300, content: 'one text', fill: fillText },
      { bytes: 600, content: 'one text', fill: fillText },
      { bytes: 10_000, content: 'one text', fill: fillText },
      { bytes: 10_000, content: 'many fields', fill: fillFields },
    ];
    return shapes.flatMap((shape) => {
      const series = sampleInTurns(variantsFor(shape), rounds);
      return speeds(series, 'messages/s').concat(speeds(series, 'MB/s', shape.bytes / 1e6));
    });
  },
};

interface Shape {
  readonly bytes: number;
  readonly content: string;
  /** At most this many bytes of JSON, and close to it. */
  readonly fill: (bytes: number) => JsonObject;
}

function variantsFor({ bytes, content, fill }: Shape): readonly Variant[] {
  const texts = Array.from({ length: TEXTS }, (_, index) => textOf(index, bytes, fill));
  const repeats = Math.ceil(1_000_000 / (TEXTS * bytes));
  const variant = (how: string, read: (text: string) => void): Variant => ({
    parameters: { bytes, content, how },
    round: (time) =>
      time('read a message', TEXTS * repeats, () => {
        for (let repeat = 0; repeat < repeats; repeat++) for (const text of texts) read(text);
      }),
  });
  return [
    variant('JSON.parse', (text) => JSON.parse(text)),
    variant('readMessage', (text) => {
      const reading = readMessage(text, { from: 'agent', now: 0 });
      if (!reading.ok) throw new Error(reading.refusal.message);
    }),
  ];
}

/** A proposal of an exact size in bytes, as it arrives on a socket. */
function textOf(index: number, bytes: number, fill: Shape['fill']): string {
  const envelope = propose(`proposal-${index}`);
  const write = (filling: JsonObject): string =>
    JSON.stringify({
      ...envelope,
      payload: { method: 'tools/call', params: { name: 'write_file', ...filling } },
    });
  const spare = bytes - write({ arguments: {}, pad: '' }).length;
  const filling = { arguments: fill(spare), pad: '' };
  const text = write({ ...filling, pad: 'x'.repeat(bytes - write(filling).length) });
  return Buffer.from(text).toString('utf8');
}

function fillText(bytes: number): JsonObject {
  const sentence = 'The quarterly figures, as agreed on Monday. ';
  return { text: sentence.repeat(Math.max(0, Math.floor((bytes - 9) / sentence.length))) };
}

function rowOf(index: number): JsonObject {
  return { line: index, sku: `item-${index}`, price: 9.5, stock: true };
}

function fillFields(bytes: number): JsonObject {
  const rows: JsonObject[] = [];
  for (let index = 0, length = 12; ; index++) {
    length += JSON.stringify(rowOf(index)).length + 1;
    if (length > bytes) return { rows };
    rows.push(rowOf(index));
  }
}
