import { type Envelope } from '@proffer/core';
import { evictProposal } from '@proffer/core/operations';
import type { Benchmark, Measurement } from '../benchmark.js';
import { costs, sampleInTurns, type Variant } from '../sampling.js';
import {
  answer,
  createWorld,
  fulfil,
  proposalReplayer,
  propose,
  reject,
  reportStatus,
  send,
  type World,
} from './messages/operations.js';
import { picker } from './picker.js';

/**
 * Deciding a message and folding its records, in spaces of different sizes (I-8). There are many small
 * spaces, each with only a few messages per round, so they stay small.
 */
export const operations: Benchmark = {
  name: 'core/operations',
  about: 'decide + evolve of one message: by stream length, number of speakers and pending proposals',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 4 : 10, counted: quick ? 9 : 25 };
    const perRound = quick ? 250 : 500;
    const lengths = [10, 1000, quick ? 20_000 : 100_000];
    const crowds = [5, 100, 1000];
    const sizes = quick ? [1, 1000, 20_000] : [1, 1000, 100_000, 1_000_000];
    return [
      ...costs(
        sampleInTurns(
          lengths.map((messages) => longStream(messages, perRound)),
          rounds,
        ),
        'ns/message',
      ),
      ...costs(
        sampleInTurns(
          crowds.map((reviewers) => crowdedStream(reviewers, perRound)),
          rounds,
        ),
        'ns/message',
      ),
      ...costs(
        sampleInTurns(
          sizes.map((pending) => manyPending(pending, perRound)),
          rounds,
        ),
        'ns/operation',
      ),
    ];
  },
};

interface Job {
  readonly world: World;
  readonly envelope: Envelope;
}

function doAll(jobs: readonly Job[]): void {
  for (const { world, envelope } of jobs) send(world, envelope);
}

/**
 * Alternating statuses and rejections from a rotating set of reviewers, about the only proposal in a space.
 */
function remarker(reviewers: number): () => Envelope {
  let count = 0;
  return () => {
    const from = `reviewer-${count % reviewers}`;
    const make = Math.floor(count / reviewers) % 2 === 0 ? reportStatus : reject;
    return make(`remark-${count++}`, 'proposal', from);
  };
}

/**
 * Spaces with one proposal each and a given number of messages about it; the fewer messages, the more spaces.
 */
function longStream(messages: number, perRound: number): Variant {
  const spaces = Math.max(1, Math.min(perRound, Math.floor((perRound * 100) / messages)));
  const worlds = Array.from({ length: spaces }, createWorld);
  const remark = remarker(5);
  for (const world of worlds) {
    send(world, propose('proposal'));
    for (let sent = 1; sent < messages; sent++) send(world, remark());
  }
  return {
    parameters: { messages },
    round(time) {
      const jobs = Array.from({ length: perRound }, (_, index): Job => {
        return { world: worlds[index % spaces] as World, envelope: remark() };
      });
      time('remark on one proposal', perRound, () => doAll(jobs));
    },
  };
}

/** One proposal with remarks from many participants. */
function crowdedStream(reviewers: number, perRound: number): Variant {
  const world = createWorld();
  const remark = remarker(reviewers);
  send(world, propose('proposal'));
  for (let sent = 0; sent < 2 * reviewers; sent++) send(world, remark());
  return {
    parameters: { reviewers },
    round(time) {
      const jobs = Array.from({ length: perRound }, (): Job => ({ world, envelope: remark() }));
      time('remark among reviewers', perRound, () => doAll(jobs));
    },
  };
}

interface Busy {
  readonly world: World;
  /** The ids of the pending proposals, shuffled. */
  readonly pending: string[];
}

/** Spaces with a given number of pending proposals; settled ones are removed after each round. */
function manyPending(size: number, perRound: number): Variant {
  const spaces = Math.max(1, Math.floor(perRound / size));
  const pick = picker();
  let count = 0;
  const nextId = (): string => `proposal-${count++}`;
  const proposeIn = ({ world, pending }: Busy): Job => {
    const id = nextId();
    pending.push(id);
    return { world, envelope: propose(id) };
  };
  const places: Busy[] = Array.from({ length: spaces }, () => ({ world: createWorld(), pending: [] }));
  const putInto = proposalReplayer();
  for (const { world, pending } of places) {
    for (let index = 0; index < size; index++) {
      const id = nextId();
      pending.push(id);
      putInto(world, id);
    }
  }
  const turns = Array.from({ length: perRound }, (_, index) => places[index % spaces] as Busy);
  return {
    parameters: { pending: size },
    round(time) {
      const proposals = turns.map(proposeIn);
      time('propose', perRound, () => doAll(proposals));

      const statuses = turns.map(({ world, pending }): Job => {
        const id = pending[pick(pending.length)] as string;
        return { world, envelope: reportStatus(`status-${count++}`, id) };
      });
      time('status', perRound, () => doAll(statuses));

      const settled: { world: World; id: string }[] = [];
      const decisions = turns.flatMap(({ world, pending }): Job[] => {
        const [id = ''] = pending.splice(pick(pending.length), 1, pending.at(-1) ?? '');
        pending.pop();
        settled.push({ world, id });
        const request = `request-${count++}`;
        return [
          { world, envelope: fulfil(request, id) },
          { world, envelope: answer(`answer-${count++}`, request) },
        ];
      });
      time('fulfil and answer', perRound, () => doAll(decisions));
      for (const { world, id } of settled) world.space = evictProposal(world.space, id);
    },
  };
}
