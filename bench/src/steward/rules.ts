import { type CallFacts, decideByRules, parseRules, type RuleSet } from '@proffer/steward';
import type { Benchmark, Measurement } from '../benchmark.js';
import { enough, repeat, sampleInTurns, speeds, type Variant } from '../sampling.js';

const COUNTS = [1, 100, 1000];

/** Deciding a call by rules, by the number of rules and how they name the tool. */
export const rules: Benchmark = {
  name: 'steward/rules',
  about: 'decideByRules with 1, 100, 1000 rules: decided by the first, the last, none',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 5 : 15, counted: quick ? 9 : 25 };
    return Object.entries(STYLES).flatMap(([style, tool]) =>
      speeds(
        sampleInTurns(
          COUNTS.map((count) => variantFor(style, tool, count)),
          rounds,
        ),
        'calls/s',
      ),
    );
  },
};

/** Ways to name a tool in a rule. */
const STYLES: Readonly<Record<string, (index: number) => string>> = {
  'tools by name': (index) => `tool_${index}`,
  'tools by pattern': (index) => `tool_${index}*`,
  'one tool': () => 'tool_0',
};

function variantFor(style: string, tool: (index: number) => string, count: number): Variant {
  const set = ruleSet(tool, count);
  const calls: Readonly<Record<string, CallFacts>> = {
    first: callOf(tool(0), '/folder-0/a.txt'),
    last: callOf(tool(count - 1), `/folder-${count - 1}/a.txt`),
    none: callOf('other', '/elsewhere/a.txt'),
  };
  const questions = Object.entries(calls).map(([decidedBy, call]) => {
    const ask = (): void => {
      const isAsked = decideByRules(set, call).action === 'ask';
      if (isAsked !== (decidedBy === 'none')) throw new Error(`unexpected: ${decidedBy}`);
    };
    return { name: `${style}, decided by ${decidedBy}`, ask, times: enough(ask) };
  });
  return {
    parameters: { rules: count },
    round(time) {
      for (const { name, ask, times } of questions) time(name, times, () => repeat(times, ask));
    },
  };
}

/** Each rule covers a different folder, so that rules for one tool differ in their arguments. */
function ruleSet(tool: (index: number) => string, count: number): RuleSet {
  const written = Array.from({ length: count }, (_, index) => ({
    action: index % 2 === 0 ? 'allow' : 'deny',
    match: { participant: 'agent', tool: tool(index), arguments: { path: `/folder-${index}/**` } },
  }));
  const parsed = parseRules(JSON.stringify({ rules: written }), 'bench');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

function callOf(tool: string, path: string): CallFacts {
  const annotations = { readOnlyHint: false };
  const time = Date.UTC(2026, 10, 16, 12);
  return {
    participant: 'agent',
    server: 'files',
    tool: tool.replace('*', ''),
    arguments: { path },
    annotations,
    time,
  };
}
