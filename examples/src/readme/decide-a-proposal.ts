import { decideInSpace, emptySpace, evolveSpace, readMessage, spaceSettings } from '@proffer/core';

let space = emptySpace(spaceSettings({ name: 'main' }));

/** One message from one participant: read it, decide it, fold what was decided. */
export function take(from: string, text: string, now: number): string {
  const reading = readMessage(text, { from, now });
  if (!reading.ok) return reading.refusal.message;
  const decision = decideInSpace(space, reading.value.envelope, { now, isPresent: () => true });
  if (decision.refused !== undefined) return decision.refused.message;
  const records = decision.appends?.flatMap((append) => append.records) ?? [];
  space = records.reduce(evolveSpace, space);
  return records.map((record) => record.type).join();
}
