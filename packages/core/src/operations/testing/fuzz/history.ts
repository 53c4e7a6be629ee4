import type { Envelope } from '../../../envelope/envelope.js';
import { digestJson } from '../../../hash/digest.js';
import type { JsonObject } from '../../../json/json.js';
import { announce, answer, delegate, message, reject, withdraw } from '../world.js';
import { createRandom, type Random } from './random.js';
import { DECIDERS, PROPOSERS, policyFor } from './scenario.js';
import { TwoGateways } from './two-gateways.js';

const IDS = ['p1', 'p2', 'p3'] as const;
const SIZES = [1, 5, 9] as const;
const paramsOf = (size: number): JsonObject => ({ name: 'write_file', arguments: { size } });

/** Plays the history of a seed: a random policy, and up to 40 things that happen on two gateways. */
export function playHistory(seed: number) {
  const random = createRandom(seed);
  const policy = policyFor(seed);
  const [entry] = policy;
  const gateways = new TwoGateways(policy, random);
  gateways.send(announce('n1', 'tools', ['write_file']));
  const steps = 8 + random.below(32);
  for (let step = 0; step < steps; step++) {
    const id = `m${step}`;
    if (step < 3 && !random.once(4)) gateways.send(proposal(random, IDS[step] ?? 'p1', step));
    else happen(gateways, random, id);
    // What waits for others is looked at when they end, and at other times.
    for (const proposed of gateways.proposals) if (random.once(2)) gateways.review(proposed);
  }
  return { seed, entry, journal: gateways.journal };
}

function proposal(random: Random, id: string, place: number): Envelope {
  const before = IDS.slice(0, place).filter(() => random.once(2));
  const payload: JsonObject = {
    method: 'tools/call',
    params: paramsOf(random.pick(SIZES)),
    ...(random.once(2) ? { ttl: 10_000 + random.below(30_000) } : {}),
    ...(before.length === 0 ? {} : { depends_on: before }),
    ...(random.once(3) ? { on_failure: 'keep' } : {}),
  };
  return message(random.pick(PROPOSERS), id, 'mcp.proposal.tools/call', payload);
}

function happen(gateways: TwoGateways, random: Random, id: string): void {
  const about = random.pick(IDS);
  const from = random.pick([...DECIDERS, ...PROPOSERS]);
  const which = random.below(20);
  if (which < 8) gateways.send(approval(gateways, random, { id, about, from }));
  else if (which < 11) gateways.send(request(gateways, random, { id, about, from }));
  else if (which < 13) settle(gateways, random, id);
  else if (which === 13) gateways.send(reject(id, about, from, random.pick(['busy', 'unsafe'])));
  else if (which === 14)
    gateways.send(
      delegate(id, from, random.once(4) ? undefined : random.pick(DECIDERS), {
        until: gateways.now + random.below(20_000),
        ...(random.once(2) ? { proposal: about } : {}),
      }),
    );
  else if (which === 15) gateways.send(withdraw(id, about, random.pick(PROPOSERS)));
  else if (which === 16) gateways.kill();
  else gateways.now += random.pick([1, 2_000, 7_000, 30_000]);
}

interface Deciding {
  readonly id: string;
  readonly about: string;
  readonly from: string;
}

/** The params of a proposal, or others. */
function paramsFor(gateways: TwoGateways, random: Random, about: string): JsonObject {
  const proposed = gateways.journal.find(
    (record) => record.type === 'proposed' && record.facts.proposal === about,
  );
  const params = proposed?.envelope.payload['params'] as JsonObject | undefined;
  return params === undefined || random.once(4) ? paramsOf(random.pick(SIZES)) : params;
}

function approval(gateways: TwoGateways, random: Random, { id, about, from }: Deciding): Envelope {
  const params = paramsFor(gateways, random, about);
  const digest = digestOf(gateways, params);
  return message(from, id, 'mcpx.approve.proposal', { digest, params }, { correlationId: about });
}

function request(gateways: TwoGateways, random: Random, { id, about, from }: Deciding): Envelope {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: paramsFor(gateways, random, about) };
  return message(from, id, 'mcp.request.tools/call', payload, { correlationId: about });
}

/** The digest as whoever approves would make it. */
function digestOf({ hash }: TwoGateways, params: JsonObject): string {
  return digestJson({ method: 'tools/call', params }, hash);
}

/** Whoever runs something answers it, well or not. */
function settle(gateways: TwoGateways, random: Random, id: string): void {
  const running = gateways.journal.flatMap((record) =>
    record.type === 'fulfilled' ? [record.envelope.id] : [],
  );
  if (running.length === 0) return;
  const result = random.once(3) ? { error: { code: 1, message: 'no' } } : { result: {} };
  gateways.send(answer(id, random.pick(running), result));
}
