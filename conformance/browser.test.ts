import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { exported, runScenario } from './browser/scenario.js';
import { root } from './repository.js';

/** One script that puts the scenario and all of core in a global named `scenario`. */
async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { conditions: ['@proffer/source'] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(root, 'conformance/browser/scenario.ts'), formats: ['iife'], name: 'scenario' },
    },
  });
  const [output] = [result].flat() as Rolldown.RolldownOutput[];
  const [chunk, ...others] = output?.output ?? [];
  expect(others).toEqual([]);
  return chunk?.type === 'chunk' ? chunk.code : '';
}

/** A context with only the language built-ins, where reading the clock or a random number throws. */
function bareContext(): object {
  const context = createContext({});
  runInContext(
    `delete globalThis.console;
    delete globalThis.WebAssembly;
    Date.now = () => { throw new Error('core read the clock'); };
    Math.random = () => { throw new Error('core used chance'); };`,
    context,
  );
  return context;
}

describe('core without a host', () => {
  it('I-3: produces the same bytes as in Node', async () => {
    const context = bareContext();
    runInContext(await bundle(), context);

    expect(runInContext('JSON.stringify(scenario.exported)', context)).toBe(JSON.stringify(exported));
    expect(runInContext('scenario.runScenario()', context)).toBe(runScenario());
  });

  it('I-3: completes operations and negotiation there and detects a forged record', () => {
    expect(JSON.parse(runScenario())).toMatchObject({
      records: { same: true, head: { version: 2 }, forged: 'wrong_hash' },
      operations: {
        replays: true,
        refused: ['proposal_not_pending'],
        state: { proposals: { p1: { phase: 'settled' }, p2: { phase: 'expired' } } },
      },
      negotiation: { replays: true, refused: ['FORBIDDEN'], phase: 'Committed', accepted: 'p2' },
    });
  });

  it.each(['console', 'process', 'Buffer', 'TextEncoder', 'crypto', 'setTimeout', 'fetch', 'require'])(
    'has no %s',
    (name) => {
      expect(runInContext(`typeof ${name}`, bareContext())).toBe('undefined');
    },
  );
});
