import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import type { Participant, PendingProposal } from '@proffer/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join, startTestGateway, type TestGateway } from '../testing/gateway.js';
import program from './testing/agent-main.program';

let gateway: TestGateway;
let reviewer: Participant;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  reviewer = await join(gateway, 'reviewer');
  folder = await mkdtemp(path(tmpdir(), 'proffer-killed-'));
});
afterAll(async () => {
  await reviewer.close();
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** An agent in a process of its own, which goes on from what the one before it saved. */
function start(tool: string, mode: readonly string[] = []) {
  const child = spawn(process.execPath, [program, gateway.url, tool, path(folder, tool), ...mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const output = new Promise<string>((resolve) => child.once('close', () => resolve(text)));
  return { child, output };
}

async function pending(tool: string): Promise<PendingProposal> {
  const find = () => reviewer.pending.find(({ params }) => params?.['name'] === tool);
  await expect.poll(find).toBeDefined();
  const found = find();
  if (found === undefined) throw new Error(`${tool} is gone.`);
  return found;
}

describe('an agent whose process is killed', () => {
  it('I-1, O-3: while it waits: the next one finds the same proposal, and runs the call once', async () => {
    const killed = start('waits');
    const proposal = await pending('waits');
    killed.child.kill('SIGKILL');
    expect(await killed.output).toBe('');
    const resumed = start('waits');
    // Approving waits three seconds for whoever runs it; on a busy machine that may need longer to come back.
    await expect.poll(() => reviewer.fulfil(proposal)).toBeDefined();
    expect(await resumed.output).toMatch(/^ran\nheard .*paid/);
  });

  it('I-2, O-23: while it runs the call: the next one does not run it again, and the model hears so', async () => {
    const killed = start('runs', ['die']);
    await reviewer.fulfil(await pending('runs')).catch(() => {});
    expect(await killed.output).toBe('ran\n');
    expect(await start('runs').output).toMatch(/^heard .*not known whether this call ran/);
  });
});
