import { expect, it } from 'vitest';
import type { CallCommand, CallEffect } from './call-events.js';
import {
  askedCall,
  type CallerState,
  type CallState,
  isOpen,
  isUnattended,
  isUndecided,
  NEXT_PHASES,
  type PhaseName,
  type ReviewerOffer,
  windowSince,
} from './call-state.js';
import { decide, WENT_AWAY } from './decide.js';
import type { OwnCallOutcome } from './outcome.js';
import { applied, denial, FACTS } from './testing/given-call.js';

/** A call, and what an outside observer has seen of it. */
interface World {
  readonly call: CallState;
  readonly runs: number;
  /** Approvals without an answer, and those that were never given. */
  readonly pending: readonly number[];
  readonly unused: readonly number[];
}

const CALLERS: readonly CallerState[] = [
  { number: 1, isTold: true },
  { number: 2, isTold: false, comesBack: { owner: 'me', isTask: true } },
  { number: 3, isTold: true, comesBack: { owner: 'me', isTask: true } },
];
const OUTCOMES: readonly OwnCallOutcome[] = [
  { type: 'rejected', rejections: [] },
  { type: 'unknown', why: 'the server went away' },
];
const OFFER: ReviewerOffer = { id: 'c1', by: 'r', reason: 'rather this', edit: [] };
/** How many callers are being told at once, at most: more would only enlarge the model. */
const MAX_TOLD = 2;

/** Everything that can happen to a call in this state. Time stands still: all windows are the same. */
function commands({ call, unused }: World): readonly CallCommand[] {
  const { callers, telling } = call;
  const absent = CALLERS.filter(({ number }) => !callers.some((one) => one.number === number));
  const isCrowded = telling >= MAX_TOLD;
  return [
    { type: 'store' },
    ...(isCrowded ? [] : absent.map((caller): CallCommand => ({ type: 'join', caller }))),
    ...callers.map(({ number }): CallCommand => ({ type: 'leave', caller: number })),
    { type: 'call-off' },
    { type: 'dismiss', owner: 'me' },
    { type: 'cancel', reason: WENT_AWAY },
    ...unused.slice(0, 1).map(
      (number): CallCommand => ({
        type: 'approve',
        approval: { number, by: 'r', arguments: number === 12 ? { forbidden: true } : FACTS.arguments },
      }),
    ),
    { type: 'offer', offer: OFFER },
    { type: 'begin' },
    ...OUTCOMES.flatMap((outcome): CallCommand[] => [
      { type: 'finish', outcome },
      { type: 'end', outcome },
    ]),
    ...(telling === 0 ? [] : [true, false].map((isTold): CallCommand => ({ type: 'hear', isTold }))),
    { type: 'doubt' },
    ...('outcome' in call.phase ? [{ type: 'deliver' } as const] : []),
    { type: 'take-as-task' },
    { type: 'promise' },
    { type: 'end-window', since: 0 },
    { type: 'expire' },
  ];
}

function after(world: World, command: CallCommand): World & { readonly effects: readonly CallEffect[] } {
  const decision = decide(world.call, command, { denial });
  const { effects } = decision;
  const { phase } = world.call;
  const given = command.type === 'approve' ? [command.approval.number] : [];
  const refused = effects.flatMap((effect) => (effect.type === 'refuse' ? [effect.approval] : []));
  // The approver of a run gets the server's answer.
  const served = command.type === 'finish' && phase.type === 'running' ? [phase.approval.number] : [];
  const answered = new Set([...refused, ...served]);
  return {
    call: applied(world.call, decision, 0),
    runs: world.runs + effects.filter(({ type }) => type === 'run').length,
    pending: [...world.pending, ...given].filter((number) => !answered.has(number)),
    unused: world.unused.filter((number) => !given.includes(number)),
    effects,
  };
}

/** The promise that a step breaks, if any. Plain conditions, since there are very many steps. */
function brokenBy(before: World, command: CallCommand, next: ReturnType<typeof after>): readonly string[] {
  const { call, runs, pending, effects } = next;
  const { phase, callers } = call;
  const was = before.call.phase;
  const isThere = (number: number): boolean => before.call.callers.some((one) => one.number === number);
  const isOffer = command.type === 'offer';
  const offeredTo = effects.flatMap((effect) => (effect.type === 'offer' ? [effect.caller] : []));
  const waiting = isUndecided(was) ? before.call.callers.filter(({ isTold }) => isTold) : [];
  const open = phase.type === 'approved' || phase.type === 'running' ? [phase.approval.number] : [];
  const promises: Readonly<Record<string, boolean>> = {
    'I-2: it runs at most once': runs <= 1,
    'it runs only for somebody who is there': effects.every(
      (effect) => effect.type !== 'run' || isThere(effect.caller),
    ),
    'O-15: what was given up never begins': isOpen(before.call) || phase.type !== 'running',
    'what runs ends with the server’s answer alone':
      was.type !== 'running' || command.type === 'finish' || phase.type === 'running',
    'what is over stays as it ended': !('outcome' in was) || phase === was,
    'it waits only with a caller': phase.type !== 'waiting' || callers.length > 0,
    'it is parked only without one': phase.type !== 'parked' || callers.length === 0,
    'whoever is to be told is told': !('outcome' in phase) || callers.every(({ isTold }) => !isTold),
    'an approver waits only for what runs, or is about to': String(pending) === String(open),
    'what nobody is there for has an end: the window, or when it expires, as was promised':
      !isUnattended(call) || (windowSince(call) === undefined) === call.isPromised,
    'O-40: a counter-offer decides nothing': !isOffer || (phase === was && callers === before.call.callers),
    'O-40: whoever waits for an answer hears of it, and nobody else':
      String(offeredTo) === String(isOffer ? waiting.map(({ number }) => number) : []),
    'O-40: the latest one stands, as long as it is undecided': isOffer
      ? !isUndecided(was) || call.offer === command.offer
      : call.offer === before.call.offer,
    'O-23: an unknown outcome waits for somebody to hear it':
      was.type !== 'unknown' || call.isClosed === before.call.isClosed,
  };
  return Object.keys(promises).filter((promise) => promises[promise] === false);
}

it('I-2, O-15, O-23, O-40: a call keeps its promises in every reachable state, whatever happens next', () => {
  const start: World = { call: askedCall(FACTS, 0), runs: 0, pending: [], unused: [10, 11, 12] };
  const seen = new Set<string>([JSON.stringify(start)]);
  const steps = new Set<string>();
  const broken = new Set<string>();
  const queue: World[] = [start];
  for (let world = queue.pop(); world !== undefined && broken.size === 0; world = queue.pop()) {
    for (const command of commands(world)) {
      const next = after(world, command);
      for (const promise of brokenBy(world, command, next))
        broken.add(`${promise}: ${command.type} in ${JSON.stringify(world.call)}`);
      const [from, to] = [world.call.phase.type, next.call.phase.type];
      if (from !== to) steps.add(`${from} → ${to}`);
      const { effects: _, ...reached } = next;
      const key = JSON.stringify(reached);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(reached);
    }
  }
  expect([...broken].slice(0, 3)).toEqual([]);
  const table = Object.entries(NEXT_PHASES).flatMap(([from, all]) =>
    all.map((to: PhaseName) => `${from} → ${to}`),
  );
  expect([...steps].sort()).toEqual(table.sort());
  expect(seen.size).toBeGreaterThan(1_000);
});
