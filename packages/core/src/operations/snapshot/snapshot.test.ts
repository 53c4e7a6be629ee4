import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import type { Proposal } from '../proposal/proposal.js';
import { isProposalRecord, type OperationRecord, type ProposalRecord, streamOf } from '../records.js';
import type { SpaceSettings } from '../settings.js';
import { seenIds } from '../space/recent-ids.js';
import { type ReplayedOperation, replaySpace } from '../space/replay.js';
import { emptySpace, evictProposal, evolveSpace, recallProposal, type SpaceState } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { playHistory } from '../testing/fuzz/history.js';
import { createRandom, type Random } from '../testing/fuzz/random.js';
import { answer, chat, createWorld, fulfil, message, propose } from '../testing/world.js';
import { decodeSpace, encodeSpace, type SpacePart } from './index.js';

const text = (space: SpaceState): string => canonicalJson(viewSpace(space));

/** The records with their versions, as a journal returns them. */
function stored(records: readonly OperationRecord[]): readonly ReplayedOperation[] {
  const versions = new Map<string, number>();
  return records.map((record) => {
    const stream = streamOf('main', record);
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    return { ...record, version };
  });
}

/** A proposal according to its stream. */
function read(records: readonly ReplayedOperation[], id: string) {
  const stream = records.filter(
    (record): record is ReplayedOperation & ProposalRecord =>
      isProposalRecord(record) && record.facts.proposal === id,
  );
  const proposal = stream.reduce<Proposal | undefined>(evolveProposal, undefined) as Proposal;
  return { proposal, said: stream.flatMap((record) => seenIds('main', record, record.version)) };
}

/** The state after some records, on top of another one, as in a gateway that has started. */
function start(from: SpaceState, records: readonly ReplayedOperation[], all = records): SpaceState {
  const replay = replaySpace(from);
  for (const record of records) replay.fold(record);
  for (const id of replay.missing()) {
    const { proposal, said } = read(all, id);
    replay.adjust((space) => recallProposal(space, proposal, said));
  }
  return replay.end();
}

/**
 * The state of a gateway that has run for a while: it has evicted finished proposals, and recalled
 * some of them.
 */
function live(settings: SpaceSettings, records: readonly ReplayedOperation[], random: Random): SpaceState {
  let space = emptySpace(settings);
  for (const [index, record] of records.entries()) {
    const isAbout = isProposalRecord(record);
    const before = records.slice(0, index);
    const needed = isAbout && record.type !== 'proposed' ? [record.facts.proposal] : [];
    const waited = record.type === 'proposed' ? (record.facts.dependencies?.waitsFor ?? []) : [];
    const idle = random.once(5) && isAbout ? [record.facts.proposal] : [];
    for (const id of [...needed, ...waited, ...idle]) {
      if (
        space.proposals.has(id) ||
        !before.some((each) => isProposalRecord(each) && each.facts.proposal === id)
      )
        continue;
      const { proposal, said } = read(before, id);
      space = recallProposal(space, proposal, said);
    }
    space = evolveSpace(space, record);
    if (random.once(2)) for (const id of space.proposals.keys()) space = evictProposal(space, id);
  }
  return space;
}

/** Encodes and decodes, as through a file. */
function throughFile(space: SpaceState): SpaceState {
  const decoder = decodeSpace(space.settings, () => false);
  for (const part of encodeSpace(space)) decoder.take(JSON.parse(JSON.stringify(part)) as SpacePart);
  return decoder.end();
}

describe('a snapshot of a space', () => {
  it('I-3, O-3, O-16, O-22: taken at any time of a running gateway, plus later records, equals a full replay', () => {
    let kept = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const { scenario, journal } = playHistory(seed);
      const random = createRandom(seed);
      const records = stored(journal.map(({ record }) => record));
      const settings = { ...scenario.settings, dedupWindow: random.pick([2_000, 60_000, 600_000]) };
      const cut = random.below(records.length + 1);
      const running = live(settings, records.slice(0, cut), random);
      const restored = throughFile(running);
      expect(text(restored)).toBe(text(start(emptySpace(settings), records.slice(0, cut))));
      const whole = start(emptySpace(settings), records);
      expect(text(start(restored, records.slice(cut), records)), `seed ${seed}`).toBe(text(whole));
      kept += whole.proposals.size;
    }
    expect(kept).toBeGreaterThan(40);
  });

  it('O-16: an answer to an evicted notification is folded like in a full replay', () => {
    const world = createWorld(undefined, { dedupWindow: 50_000 });
    const notify = { method: 'notifications/message', params: { level: 'info', data: 'x' } };
    world.send(message('agent', 'p1', 'mcp.proposal.notifications/message', notify));
    world.send({ ...fulfil('f1', 'p1'), kind: 'mcp.request.notifications/message', payload: notify });
    const { length } = world.records;
    expect(world.proposal('p1').phase).toBe('fulfilled');
    world.now += 60_000;
    world.send({ ...answer('a1', 'f1'), kind: 'mcp.response' });
    const records = stored(world.records);
    expect(records.length).toBeGreaterThan(length);
    const empty = emptySpace(world.space.settings);
    const restored = throughFile(start(empty, records.slice(0, length)));
    expect(restored.proposals.size).toBe(0);
    expect(text(start(restored, records.slice(length), records))).toBe(text(start(empty, records)));
  });

  it('O-37: an evicted proposal is recalled if later history waits for it', () => {
    const world = createWorld();
    world.send(propose('p1'));
    world.send(propose('p2', { depends_on: ['p1'] }));
    const waiting = world.records.filter(({ type, facts }) => type === 'proposed' && facts.proposal === 'p2');
    world.send(fulfil('f1', 'p1'));
    world.send(answer('a1', 'f1'));
    const ended = world.records.filter(({ stream }) => stream === 'main/proposal/p1');
    const records = stored([...ended, ...waiting]);
    const empty = emptySpace(world.space.settings);
    const restored = throughFile(start(empty, records.slice(0, ended.length)));
    expect(restored.proposals.has('p1')).toBe(false);
    const whole = start(empty, records);
    expect([...whole.proposals.keys()]).toEqual(['p1', 'p2']);
    expect(text(start(restored, records.slice(ended.length), records))).toBe(text(whole));
  });

  it('I-7, I-8: a replay holds only unfinished proposals, however long the history is', () => {
    const world = createWorld();
    for (let count = 0; count < 20; count++) {
      world.send(propose(`p${count}`));
      if (count % 10 === 0) continue;
      world.send(fulfil(`f${count}`, `p${count}`));
      world.send(answer(`a${count}`, `f${count}`));
    }
    const { proposals, fulfilments } = start(emptySpace(world.space.settings), stored(world.records));
    expect([...proposals.keys()]).toEqual(['p0', 'p10']);
    expect(fulfilments.size).toBe(0);
  });

  it('leaves out what retention removed since', () => {
    const world = createWorld();
    world.send(propose('p1', {}, { to: ['reviewer'] }));
    world.send(propose('p2'));
    world.send(chat('c1', 'agent', 'hello'));
    const decoder = decodeSpace(world.space.settings, (id) => id === 'p1');
    for (const part of encodeSpace(world.space)) decoder.take(part);
    const space = decoder.end();
    expect([...space.proposals.keys()]).toEqual(['p2']);
    expect(space.pending.get('agent')).toBe(1);
    expect(space.dependents.size).toBe(0);
  });
});
