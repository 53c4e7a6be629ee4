import {
  authorize,
  type CapabilitySource,
  compileCapabilities,
  parseCapability,
} from '@proffer/core/capability';
import type { Benchmark, Measurement } from '../benchmark.js';
import { costs, enough, repeat, sampleInTurns, type Variant } from '../sampling.js';
import { fromWire } from './messages/from-wire.js';

const COUNTS = [1, 10, 1000];

/** Authorizing a message, by the number of capabilities of the sender and how they are written. */
export const capability: Benchmark = {
  name: 'core/capability',
  about: 'authorize with 1, 10, 1000 patterns: granted by the first, the last, none',
  measure({ quick }): readonly Measurement[] {
    const rounds = { warmUp: quick ? 5 : 15, counted: quick ? 9 : 25 };
    return Object.entries(STYLES).flatMap(([patterns, write]) =>
      costs(
        sampleInTurns(
          COUNTS.map((count) => variantFor(patterns, write, count)),
          rounds,
        ),
        'ns/message',
      ),
    );
  },
};

/** Ways to write a capability for one tool. */
const STYLES: Readonly<Record<string, (tool: string) => CapabilitySource>> = {
  'exact kinds': (tool) => `mcp.request.tools/call:${tool}`,
  'different beginnings': (tool) => `mcp.request.tools/call:${tool}*`,
  'one beginning': (tool) => `mcp.*.tools/call:${tool}`,
  'by payload': (tool) => ({ kind: 'mcp.request.tools/call', payload: { params: { name: tool } } }),
};

function variantFor(patterns: string, write: (tool: string) => CapabilitySource, count: number): Variant {
  const tools = Array.from({ length: count }, (_, index) => `tool_${index}_`);
  const compiled = compileCapabilities(
    tools.map((tool) => {
      const parsed = parseCapability(write(tool));
      if (!parsed.ok) throw new Error(parsed.refusal.message);
      return parsed.value;
    }),
  );
  const asked = { first: tools[0] ?? '', last: tools.at(-1) ?? '', none: 'other_' };
  const questions = Object.entries(asked).map(([grantedBy, name]) => {
    const payload = { method: 'tools/call', params: { name, arguments: { path: '/srv/a.txt' } } };
    const envelope = fromWire({ from: 'agent', kind: `mcp.request.tools/call:${name}`, payload });
    const ask = (): void => {
      const refused = authorize(compiled, envelope) !== undefined;
      if (refused !== (grantedBy === 'none')) throw new Error(`unexpected: ${grantedBy}`);
    };
    return { name: `authorize, ${patterns}, granted by ${grantedBy}`, ask, times: enough(ask) };
  });
  return {
    parameters: { patterns: count },
    round(time) {
      for (const { name, ask, times } of questions) time(name, times, () => repeat(times, ask));
    },
  };
}
