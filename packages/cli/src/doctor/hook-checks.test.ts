import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AGENT_IDS, AGENTS, hookEntries } from '@proffer/hook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkHooks } from './hook-checks.js';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'proffer-hooks-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('hooks of agents', () => {
  it.each(AGENT_IDS)('O-46: %s: one of an earlier version is named, with what to do', (id) => {
    const agent = AGENTS[id];
    const file = agent.settings.user(home, {});
    const entries = hookEntries(agent, {
      launcher: ['proffer-hook'],
      wait: 600,
      otherwise: 'ask',
      onlyPrompts: false,
    });
    const install = (installed: typeof entries): void => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(agent.addEntries({}, installed)));
    };
    const check = () => checkHooks({ env: { HOME: home }, name: 'proffer' }, join(home, 'app'));
    install(entries.filter(({ event }) => !agent.reports.includes(event)));
    expect(check()).toMatchObject([
      { state: 'warn', message: expect.stringContaining(agent.reports.join(', ')) },
    ]);
    expect(check()[0]?.remedy).toContain(`proffer hook install ${id}`);
    install(entries);
    expect(check()).toEqual([]);
  });
});
