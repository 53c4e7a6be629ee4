import type { Dialect } from './dialect.js';
import { createStock, runName, type Stock } from './stock.js';
import type { Wire } from './wire.js';

/** The participants of a cycle, each with its own connection. */
export interface Cast {
  readonly agent: Wire;
  readonly reviewer: Wire;
  readonly tools: Wire;
}

export interface CycleLoad {
  readonly count: number;
  /** Cycles in flight. */
  readonly inFlight: number;
  readonly dialect: Dialect;
}

export interface CycleTimes {
  readonly seconds: number;
  /** Milliseconds from sending a proposal to receiving the answer, sorted. */
  readonly latencies: Float64Array;
}

const DIGITS = 8;

/**
 * Whole cycles: `agent` proposes, `reviewer` receives the proposal and fulfils it, `tools` receives that and
 * answers, `agent` receives the answer and proposes again. Each acts on what was delivered to it, as clients
 * do.
 */
export async function runCycles({ agent, reviewer, tools }: Cast, load: CycleLoad): Promise<CycleTimes> {
  const { count, inFlight, dialect } = load;
  const run = runName();
  const id = (letter: string, number: number): string =>
    `${letter}${run}${String(number).padStart(DIGITS, '0')}`;
  const proposals = createStock(count, (number) => dialect.propose(id('P', number)));
  const requests = createStock(count, (number) => dialect.fulfil(id('R', number), id('P', number)));
  const answers = createStock(count, (number) => dialect.answer(id('A', number), id('R', number)));
  const latencies = new Float64Array(count);
  let proposed = 0;
  let done = 0;
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    for (const { lost } of [agent, reviewer, tools]) lost.catch(reject);
    const propose = (): void => {
      if (proposed === count) return;
      latencies[proposed] = performance.now();
      agent.send(proposals.frames(proposed, ++proposed));
    };
    onEach(agent, `A${run}`, (number) => {
      latencies[number] = performance.now() - (latencies[number] ?? 0);
      propose();
      if (++done === count) resolve();
    });
    onEach(reviewer, `P${run}`, (number) => sendOne(reviewer, requests, number));
    onEach(tools, `R${run}`, (number) => sendOne(tools, answers, number));
    agent.socket.cork();
    for (let first = 0; first < inFlight; first++) propose();
    agent.socket.uncork();
  });
  const seconds = (performance.now() - start) / 1000;
  for (const wire of [agent, reviewer, tools]) wire.onMessage = undefined;
  return { seconds, latencies: latencies.sort() };
}

function sendOne(wire: Wire, stock: Stock, number: number): void {
  wire.send(stock.frames(number, number + 1));
}

/** Calls back for each message whose id has this prefix; everything sent from there goes out in one write. */
function onEach(wire: Wire, prefix: string, act: (number: number) => void): void {
  const sought = `"id":"${prefix}`;
  let corked = false;
  wire.onMessage = (bytes, start, end) => {
    const message = bytes.toString('latin1', start, end);
    const found = message.indexOf(sought);
    if (found < 0) return;
    if (!corked) {
      corked = true;
      wire.socket.cork();
    }
    const digits = found + sought.length;
    act(Number(message.slice(digits, digits + DIGITS)));
  };
  wire.onProgress = () => {
    if (corked) wire.socket.uncork();
    corked = false;
  };
}

/** The value below which a fraction of the sorted values lies. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
