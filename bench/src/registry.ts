import type { Benchmark } from './benchmark.js';
import { consoles } from './console/console.js';
import { core } from './core/core.js';
import { evidence } from './evidence/evidence.js';
import { gateway } from './gateway/gateway.js';
import { guard } from './guard/guard.js';
import { hook } from './hook/hook.js';
import { journal } from './journal/journal.js';
import { nats } from './nats/nats.js';
import { negotiation } from './negotiation/negotiation.js';
import { steward } from './steward/steward.js';

/** All benchmarks, in the order they run. A new group adds its list here. */
export const BENCHMARKS: readonly Benchmark[] = [
  ...core,
  ...journal,
  ...gateway,
  ...negotiation,
  ...evidence,
  ...nats,
  ...steward,
  ...guard,
  ...hook,
  ...consoles,
];

/** The selected benchmarks, or the first unknown name. */
export type Choice =
  | { readonly chosen: readonly Benchmark[]; readonly unknown?: never }
  | { readonly unknown: string; readonly chosen?: never };

/**
 * Selects by name: a whole group (`core`) or a single benchmark (`core/reading`). No name selects everything.
 * Each runs once, in registry order.
 */
export function choose(names: readonly string[], from: readonly Benchmark[] = BENCHMARKS): Choice {
  const unknown = names.find((name) => !from.some((benchmark) => matchesName(benchmark, name)));
  if (unknown !== undefined) return { unknown };
  if (names.length === 0) return { chosen: from };
  return { chosen: from.filter((benchmark) => names.some((name) => matchesName(benchmark, name))) };
}

function matchesName({ name }: Benchmark, asked: string): boolean {
  return name === asked || name.startsWith(`${asked}/`);
}

/** A printable list of all benchmarks. */
export function listing(from: readonly Benchmark[] = BENCHMARKS): string {
  const groups = [...new Set(from.map(({ name }) => name.slice(0, name.indexOf('/'))))];
  const width = Math.max(...from.map(({ name }) => name.length));
  return groups
    .map((group) => {
      const members = from.filter((benchmark) => matchesName(benchmark, group));
      const lines = members.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
      return `${group}\n${lines.join('\n')}`;
    })
    .join('\n');
}
