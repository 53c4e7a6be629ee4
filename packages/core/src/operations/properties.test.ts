import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorize } from '../capability/authorize.js';
import { parseCapability } from '../capability/capability.js';
import { compileCapabilities } from '../capability/compiled-capabilities.js';
import { replay } from '../decision.js';
import { GATEWAY } from '../envelope/envelope.js';
import { canonicalJson } from '../json/canonical.js';
import { verifyStream } from '../record/verify.js';
import type { RefusalCode } from '../refusal/codes.js';
import { keptCases } from '../testing/kept-cases.js';
import { runs } from '../testing/runs.js';
import type { Proposal } from './proposal/proposal.js';
import { isProposalRecord, type OperationRecord } from './records.js';
import { emptySpace, evolveSpace, type SpaceState } from './space/space.js';
import { viewSpace } from './space/space-view.js';
import { CAPABILITIES, history, historyWorld, receive, type Step, take } from './testing/random-history.js';
import type { Sealed, World } from './testing/world.js';

/** Plays every kept and every random history, and checks something about it. */
function forAllHistories(check: (steps: Step[]) => void): void {
  const kept = keptCases<Step[]>('operations').map((steps): [Step[]] => [steps]);
  fc.assert(fc.property(history, check), { ...runs(200), examples: kept });
}

function play(steps: readonly Step[], observe: (world: World) => void = () => {}): World {
  const world = historyWorld();
  for (const step of steps) {
    take(world, step);
    observe(world);
  }
  return world;
}

const EVERY_TYPE: readonly OperationRecord['type'][] = [
  'addressees_absent',
  'announced',
  'answered',
  'declined',
  'expired',
  'fulfilled',
  'opened',
  'outcome_unknown',
  'proposed',
  'rejected',
  'said',
  'status_reported',
  'withdrawn',
];

const LIFECYCLE_CODES: readonly RefusalCode[] = [
  'sender_mismatch',
  'capability_violation',
  'reserved_kind',
  'id_conflict',
  'unknown_proposal',
  'proposal_not_pending',
  'reserved',
  'not_proposer',
  'use_withdraw',
  'self_fulfilment',
  'ambiguous_executor',
  'executor_absent',
  'not_executor',
];

const text = (space: SpaceState): string => canonicalJson(viewSpace(space));
const folding = (world: World) => ({ initial: emptySpace(world.space.settings), evolve: evolveSpace });

function streamsOf(records: readonly Sealed[]): readonly (readonly Sealed[])[] {
  const streams = new Map<string, Sealed[]>();
  for (const record of records) {
    const stream = streams.get(record.stream);
    if (stream === undefined) streams.set(record.stream, [record]);
    else stream.push(record);
  }
  return [...streams.values()];
}

describe('random histories with hostile actors', () => {
  it('I-2: the histories reach every event, and every refusal of the lifecycle', () => {
    const types = new Set<string>();
    const codes = new Set<string>();
    for (const steps of fc.sample(history, { numRuns: 500, seed: 1 })) {
      const world = historyWorld();
      for (const step of steps) {
        const received = take(world, step);
        if (received?.refused !== undefined) codes.add(received.refused.code);
      }
      for (const { type } of world.records) types.add(type);
    }
    expect([...types].sort()).toEqual(EVERY_TYPE);
    expect([...codes]).toEqual(expect.arrayContaining([...LIFECYCLE_CODES]));
  });

  it('I-3, O-22: replay equals the live state, byte for byte, and so does every prefix', () => {
    forAllHistories((steps) => {
      const moments: { readonly length: number; readonly state: string }[] = [];
      const world = play(steps, ({ records, space }) => {
        moments.push({ length: records.length, state: text(space) });
      });
      let state = folding(world).initial;
      let folded = 0;
      for (const { length, state: expected } of moments) {
        state = replay(folding(world), world.records.slice(folded, length), state);
        folded = length;
        expect(text(state)).toBe(expected);
      }
    });
  });

  it('I-3: every stream, and every prefix of it, is a chain that verifies', () => {
    forAllHistories((steps) => {
      for (const stream of streamsOf(play(steps).records)) {
        for (let length = 0; length <= stream.length; length++) {
          expect(verifyStream(stream.slice(0, length)).ok).toBe(true);
        }
      }
    });
  });

  it('I-2, O-12: at most one fulfilment, one end, one notice of each kind per proposal', () => {
    forAllHistories((steps) => {
      for (const stream of streamsOf(play(steps).records)) {
        const once = [
          'proposed',
          'fulfilled',
          'withdrawn',
          'expired',
          'opened',
          'outcome_unknown',
          'answered',
        ];
        for (const type of once) {
          expect(stream.filter((record) => record.type === type).length).toBeLessThanOrEqual(1);
        }
      }
    });
  });

  it('O-22: states are one-way', () => {
    const next: Readonly<Record<Proposal['phase'], readonly Proposal['phase'][]>> = {
      pending: ['approved', 'fulfilled', 'allowed', 'withdrawn', 'expired', 'declined'],
      approved: ['pending', 'fulfilled', 'allowed', 'withdrawn', 'expired', 'declined'],
      fulfilled: ['settled'],
      allowed: ['settled'],
      settled: [],
      withdrawn: [],
      expired: [],
      declined: [],
    };
    forAllHistories((steps) => {
      const world = play(steps);
      let space = folding(world).initial;
      for (const record of world.records.filter((record) => isProposalRecord(record))) {
        const before = space.proposals.get(record.facts.proposal)?.phase;
        space = evolveSpace(space, record);
        const after = space.proposals.get(record.facts.proposal)?.phase;
        if (before === undefined || after === undefined || before === after) continue;
        expect(next[before]).toContain(after);
      }
    });
  });

  it("I-4, O-2: every record is its authenticated sender's, who had the capability and the role", () => {
    const grants = Object.fromEntries(
      Object.entries(CAPABILITIES).map(([name, patterns]) => {
        const parsed = patterns.map((pattern) => parseCapability(pattern));
        return [name, compileCapabilities(parsed.flatMap((result) => (result.ok ? [result.value] : [])))];
      }),
    );
    forAllHistories((steps) => {
      const world = play(steps);
      for (const record of world.records) {
        expect(record.envelope.from).toBe(record.principal);
        const notice = record.envelope.kind === 'system.notice';
        expect(record.principal === GATEWAY).toBe(notice);
        if (notice) continue;
        const capabilities = grants[record.principal];
        expect(capabilities && authorize(capabilities, record.envelope)).toBeUndefined();
        if (!isProposalRecord(record)) continue;
        const { proposer, fulfilment } = world.proposal(record.facts.proposal);
        if (record.type === 'withdrawn') expect(record.principal).toBe(proposer);
        if (record.type === 'rejected' || record.type === 'fulfilled')
          expect(record.principal).not.toBe(proposer);
        if (record.type === 'answered') expect(record.principal).toBe(fulfilment?.executor);
      }
    });
  });

  it('I-5: a refused, late or duplicate message changes nothing', () => {
    forAllHistories((steps) => {
      const world = historyWorld();
      for (const step of steps) {
        const before = world.space;
        const length = world.records.length;
        const received = take(world, step);
        const accepted = received === undefined || ('appends' in received && received.appends !== undefined);
        if (accepted) continue;
        expect(world.space).toBe(before);
        expect(world.records.length).toBe(length);
      }
    });
  });

  it('O-3: every accepted message is a duplicate when it is repeated', () => {
    forAllHistories((steps) => {
      const world = historyWorld();
      for (const step of steps) {
        const received = take(world, step);
        if (step.do !== 'send' || received === undefined || received.refused !== undefined) continue;
        const before = world.space;
        const again = receive(world, step.as, step.message);
        expect('unchanged' in again && again.unchanged).toMatch(/duplicate|late/);
        expect(world.space).toBe(before);
      }
    });
  });
});
