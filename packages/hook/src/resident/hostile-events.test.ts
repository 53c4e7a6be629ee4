import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_IDS, AGENTS, type AgentId } from '../agents/index.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';

let space: HookSpace;
beforeAll(async () => {
  // Everything that is understood runs, so a call that does not run was not understood.
  space = await startHookSpace('{ default: allow, rules: [{ action: ask, match: { tool: odd_* } }] }');
});
afterAll(() => space[Symbol.asyncDispose]());

const sample = (agent: AgentId, change: (event: Record<string, unknown>) => void): Buffer => {
  const event = { ...AGENTS[agent].sample('/home/ada/app', 'ls') } as Record<string, unknown>;
  change(event);
  return Buffer.from(JSON.stringify(event));
};
const toolKey = (agent: AgentId) => (agent === 'copilot-cli' ? 'toolName' : 'tool_name');
const inputKey = (agent: AgentId) => (agent === 'copilot-cli' ? 'toolArgs' : 'tool_input');

describe('a malformed event', () => {
  it.each([
    ['nothing', ''],
    ['broken JSON', '{"tool_name": "Ba'],
    ['a list', '[1, 2]'],
    ['null', 'null'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
    ['something nested deeply', '['.repeat(100_000)],
    ['two of one key', '{"tool_name":"Read","tool_name":"Bash","tool_input":{}}'],
  ])("%s: is answered in each agent's format, and never with a yes", async (_, text) => {
    for (const agent of AGENT_IDS) {
      const input = Buffer.isBuffer(text) ? text : Buffer.from(text);
      const answer = await space.call(agent, '', { input });
      expect(['asks', 'refuses']).toContain(answer.does);
      expect(answer.told ?? '').toContain('Proffer cannot read this call');
    }
  });

  it('without a tool, or with an undisplayable one, is not allowed', async () => {
    for (const agent of AGENT_IDS) {
      for (const name of [undefined, 7, '', 'Ba\u200bsh', 'x\u0000', 'x'.repeat(1_000)]) {
        const input = sample(agent, (event) => {
          event[toolKey(agent)] = name;
        });
        expect((await space.call(agent, '', { input })).does).not.toBe('runs');
      }
      for (const given of [undefined, null, 7, 'text', ['a']]) {
        const input = sample(agent, (event) => {
          event[inputKey(agent)] = given;
        });
        expect(['asks', 'refuses']).toContain((await space.call(agent, '', { input })).does);
      }
    }
  });

  it('with unknown fields and tools is decided by the rules', async () => {
    for (const agent of AGENT_IDS) {
      const input = sample(agent, (event) => {
        event['something_new'] = { deep: [1] };
        event[toolKey(agent)] = 'brand_new';
      });
      expect((await space.call(agent, '', { input })).does).toBe(agent === 'codex' ? 'own' : 'runs');
    }
  });

  it('that is a question to the user is left to the user, whatever the rules allow', async () => {
    for (const event of ['PreToolUse', 'PermissionRequest']) {
      const input = sample('claude-code', (sent) => {
        sent['hook_event_name'] = event;
        sent['tool_name'] = 'ExitPlanMode';
      });
      expect(await space.call('claude-code', '', { event, input })).toEqual({ does: 'own' });
    }
  });

  it('of several megabytes is not allowed if somebody would have to read it', async () => {
    for (const agent of AGENT_IDS) {
      const input = sample(agent, (event) => {
        event[toolKey(agent)] = 'odd_one';
        event[inputKey(agent)] = { text: 'x'.repeat(5_000_000) };
      });
      const answer = await space.call(agent, '', { input, wait: 5_000 });
      expect(['asks', 'refuses']).toContain(answer.does);
    }
    const huge = await space.call('claude-code', '', { input: Buffer.alloc(20_000_000, 32) });
    expect(huge).toMatchObject({ does: 'asks', told: expect.stringContaining('too large for Proffer') });
  });

  it('of any content is answered and does no harm', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...AGENT_IDS), fc.json({ maxDepth: 5 }), async (agent, text) => {
        const { does } = await space.call(agent, '', { input: Buffer.from(text), wait: 1_000 });
        expect(does).not.toBe('runs');
      }),
      { numRuns: 50 },
    );
    expect((await space.call('claude-code', 'ls')).does).toBe('runs');
  });
});
