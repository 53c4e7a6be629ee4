import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import type { Participant, PendingProposal } from '@proffer/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import program from './testing/agent-main.program';
import { plainName } from './testing/driver-names.js';
import { DRIVERS } from './testing/drivers.js';
import { join, startTestGateway, type TestGateway } from './testing/gateway.js';

const RESUMING = DRIVERS.filter(({ resumes }) => resumes).map(plainName);
const OTHERS = DRIVERS.filter(({ resumes }) => !resumes).map(plainName);

let gateway: TestGateway;
let reviewer: Participant;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path(tmpdir(), 'proffer-killed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
beforeAll(async () => {
  gateway = await startTestGateway();
  reviewer = await join(gateway, 'reviewer');
});
afterAll(async () => {
  await reviewer.close();
  await gateway[Symbol.asyncDispose]();
});

/** Agents in a separate process, which resume from what earlier ones saved. */
function start(mode: 'live' | 'die', names: readonly string[] = []) {
  const child = spawn(process.execPath, [program, gateway.url, folder, mode, ...names], {
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

/** What a process reported about one of its agents. */
const linesOf = (output: string, name: string): readonly string[] =>
  output.split('\n').filter((line) => line.startsWith(`${name} `));

describe('killing a process', () => {
  it('I-1, O-3: while agents wait: the next process finds the same proposals, and runs each call once', async () => {
    const killed = start('live');
    const proposals = new Map<string, PendingProposal>();
    for (const name of [...RESUMING, ...OTHERS]) proposals.set(name, await pending(name));
    killed.child.kill('SIGKILL');
    expect(await killed.output).toBe('');
    const resumed = start('live', RESUMING);
    const approve = async (name: string): Promise<unknown> => {
      const proposal = proposals.get(name);
      return proposal === undefined ? undefined : await reviewer.approve(proposal);
    };
    // Proposals that no framework resumes stay pending, and whoever approves one learns that nobody is
    // there to run it.
    await Promise.all(
      OTHERS.map(async (name) => {
        await expect(approve(name)).rejects.toMatchObject({ code: 'executor_absent' });
      }),
    );
    // Approving waits three seconds for the executor; on a busy machine it may need longer to come
    // back.
    await Promise.all(
      RESUMING.map(async (name) => {
        await expect.poll(() => approve(name)).toBeDefined();
      }),
    );
    const output = await resumed.output;
    for (const name of RESUMING)
      expect(linesOf(output, name)).toEqual([`${name} ran`, expect.stringContaining('paid')]);
    for (const name of OTHERS) expect(linesOf(output, name)).toEqual([]);
  });

  it('I-2, O-23, O-46: while it runs a call: the next process does not rerun it, and the model is told', async () => {
    const name = 'openai_agents_interruptions';
    const killed = start('die', [name]);
    const fulfilled = reviewer.fulfil(await pending(name));
    fulfilled.catch(() => {});
    expect(await killed.output).toBe(`${name} ran\n`);
    expect(await start('live', [name]).output).toMatch(/received .*Nobody knows whether this call ran/);
    await expect(fulfilled).rejects.toThrow('is unknown');
  });
});
