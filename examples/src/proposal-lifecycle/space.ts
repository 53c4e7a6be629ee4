import { type Refusal, readObject } from '@proffer/core';
import {
  authorize,
  type CompiledCapabilities,
  compileCapabilities,
  parseCapability,
} from '@proffer/core/capability';
import { type JsonObject } from '@proffer/core/json';
import {
  decideInSpace,
  emptySpace,
  evolveSpace,
  type OperationRecord,
  type Proposal,
  reviewInSpace,
  type SpaceDecision,
  type SpaceState,
  spaceSettings,
} from '@proffer/core/operations';
import {
  emptyStream,
  headAfter,
  type SealedRecord,
  type StreamHead,
  sealRecord,
} from '@proffer/core/records';

/** The result of a message: its records, or why there are none. */
export type Reply = { readonly records: readonly OperationRecord[]; readonly refused?: Refusal };

/** A space without a gateway: the rules, a manual clock, and a list as the journal. */
export interface SmallSpace {
  readonly journal: readonly SealedRecord<OperationRecord>[];
  /** Processes a message as the gateway does: parse, authorize, decide, append, fold. */
  say(from: string, message: JsonObject): Reply;
  /** Advances the clock and processes whatever becomes due. */
  wait(milliseconds: number): Reply;
  proposal(id: string): Proposal | undefined;
}

/** Opens a space where all these participants are online. */
export function openSpace(participants: Readonly<Record<string, readonly string[]>>): SmallSpace {
  const capabilities = new Map(
    Object.entries(participants).map(([name, patterns]) => [name, compile(patterns)] as const),
  );
  const journal: SealedRecord<OperationRecord>[] = [];
  const heads = new Map<string, StreamHead>();
  let space: SpaceState = emptySpace(spaceSettings({ name: 'main' }));
  let now = Date.UTC(2026, 0, 5, 9, 0, 0);
  const context = () => ({ now, isPresent: (name: string) => capabilities.has(name) });

  function append(decision: SpaceDecision): Reply {
    if (decision.refused !== undefined) return { records: [], refused: decision.refused };
    const appends = decision.appends ?? [];
    for (const { stream, records } of appends) {
      for (const content of records) {
        const record = sealRecord(content, heads.get(stream) ?? emptyStream(stream));
        heads.set(stream, headAfter(record));
        journal.push(record);
        space = evolveSpace(space, record);
      }
    }
    return { records: appends.flatMap(({ records }) => records) };
  }

  return {
    journal,
    say(from, message) {
      const reading = readObject(message, { from, now });
      if (!reading.ok) return { records: [], refused: reading.refusal };
      const { envelope } = reading.value;
      const refused = authorize(capabilities.get(from) ?? compile([]), envelope);
      if (refused !== undefined) return { records: [], refused };
      return append(decideInSpace(space, envelope, context()));
    },
    wait(milliseconds) {
      now += milliseconds;
      const reviewed = [...space.proposals.keys()].map((id) => append(reviewInSpace(space, id, context())));
      return { records: reviewed.flatMap(({ records }) => records) };
    },
    proposal: (id) => space.proposals.get(id),
  };
}

function compile(patterns: readonly string[]): CompiledCapabilities {
  const parsed = patterns.map((pattern) => parseCapability(pattern));
  return compileCapabilities(
    parsed.map((result) => {
      if (!result.ok) throw new Error(result.refusal.message);
      return result.value;
    }),
  );
}
