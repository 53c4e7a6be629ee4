import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startWatching } from '@proffer/client/machine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';
import { launch } from './launch.js';

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace('{ default: allow }');
});
afterAll(() => space[Symbol.asyncDispose]());

describe('an event', () => {
  it('from an unknown agent gets an answer that no agent reads as a yes', async () => {
    const asked = { agent: 'somebody', event: 'x', wait: 1_000, otherwise: 'ask' } as const;
    const { stdout, exitCode } = await launch({
      asked,
      folder: space.folder,
      serve: ['false'],
      input: Buffer.from('{}'),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });

  it('is answered at once if the resident process cannot be started', async () => {
    const asked = { agent: 'claude-code', event: 'PreToolUse', wait: 1_000, otherwise: 'deny' } as const;
    const folder = join(space.folder, 'nobody');
    const { stdout, exitCode } = await launch({
      asked,
      folder,
      serve: ['/does/not/exist'],
      input: Buffer.from('{}'),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining('"deny"'), exitCode: 0 });
  });

  it('O-50: does not stop an agent that is only watched, even if the resident process cannot be started', async () => {
    const asked = { agent: 'claude-code', event: 'PreToolUse', wait: 1_000, otherwise: 'deny' } as const;
    const folder = join(space.folder, 'watched');
    await mkdir(folder);
    startWatching(folder, 0);
    const input = Buffer.from('{}');
    const answer = await launch({ asked, folder, serve: ['/does/not/exist'], input });
    expect(answer).toEqual({ stdout: '{}\n', exitCode: 0 });
  });
});
