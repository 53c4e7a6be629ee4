import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proffer, start, temporaryFolder } from '../../testing/cli.js';
import { machine, next, SERVER } from '../../testing/guard-machine.js';
import { runHere } from '../../testing/in-process.js';
import { connectMcp } from '../../testing/mcp-client.js';

/** A server with one tool, which exits on command. */
const FRAGILE = `
const answers = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'fragile', version: '1' } },
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'notifications/end' || method === 'tools/call') process.exit(4);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
});
`;

describe('--guard', () => {
  it("O-17: opens the guards' inbox; a rejection shows who decided, also without a gateway", async () => {
    await using here = await machine();
    const run = (...args: readonly string[]) => runHere(args, { PROFFER_HOME: here.home });
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const rejected = here.write(client, 'no.txt');
    const { id } = await next(reviewer, 'no.txt');
    const listed = await run('inbox', '--guard');
    expect(listed.stdout).toContain(join(here.files, 'no.txt'));
    expect(listed.stdout).toContain('each with --guard');
    // A prefix of the id is enough, and is what is shown.
    expect(listed.stdout).not.toContain(id);
    const [short = ''] = /^call-\w+/m.exec(listed.stdout) ?? [];
    const said = await run('reject', short, '--guard', '--reason', 'not today');
    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('filesystem withdrew this call. The caller gets your reason.'),
    });
    await rejected;
    const decision = 'reviewer rejected this call: “not today”.';
    await expect.poll(async () => (await run('show', id, '--guard')).stdout).toContain(decision);
    const healthy = await run('doctor', '--guard');
    expect(healthy).toMatchObject({ code: 0, stdout: expect.stringContaining('you are reviewer') });
    await here.stop(guard);
    const journal = join(here.data, 'journal');
    const whole = await run('verify', '--guard');
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining(`${journal} is intact`) });
    expect((await run('replay', '--guard')).stdout).toMatch(/rejected +reviewer/);
    const gone = await run('inbox', '--guard');
    expect(gone.code).toBe(3);
    expect(gone.stderr).toContain(`log --data ${here.data}`);
    expect(gone.stderr).not.toContain('up --dev');
    expect((await run('show', id.slice(0, -4), '--data', here.data)).stdout).toContain(decision);
    const log = (await run('log', '--data', here.data)).stdout;
    expect(log).toMatch(/reviewer +rejects .*not today/);
    expect(log).toMatch(/filesystem +serves +no tools\n/);
    expect((await run('replay', '--data', here.data)).stdout).toMatch(/rejected +reviewer/);
  });

  it("O-26: reports that a call's guard is gone, and how to restart it", async () => {
    await using here = await machine();
    const stays = here.guard('--name', 'stays');
    await stays.until(/is guarded, as stays\./);
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    void here.write(client, 'late.txt').catch(() => undefined);
    const { id } = await next(reviewer, 'late.txt');
    const left = new Promise<void>((resolve) => {
      reviewer.on('message', ({ kind, payload }) => {
        if (kind === 'system.presence' && payload['event'] === 'leave') resolve();
      });
    });
    const open = await here.connections();
    guard.child.kill('SIGKILL');
    await expect.poll(here.connections).toBe(open - 1);
    // Also before it counts as absent for running calls.
    const soon = await here.run('approve', id);
    await left;
    for (const { code, stderr } of [soon, await here.run('approve', id)]) {
      expect(code).toBe(1);
      expect(stderr).toContain('"filesystem", which would run it, is not connected; nothing was approved.');
      expect(stderr).toContain('The guard filesystem is not connected. If it does not reconnect by itself');
      expect(stderr).toContain('then approve again');
      expect(stderr).not.toContain('--to NAME');
    }
    expect((await here.run('show', id)).stdout).toContain('pending');
    // It knows no tools before a client connects.
    const again = here.guard();
    await again.until(/is guarded, as filesystem\./);
    const early = await here.run('approve', id);
    expect(early.code).toBe(1);
    expect(early.stderr).toContain('The guard filesystem is connected, but has not announced any tools');
    await here.stop(again);
    await here.stop(stays);
  });

  it('O-22: reports to everyone that a server exited while its call waited, and withdraws the call', async () => {
    await using here = await machine();
    const stays = here.guard('--name', 'stays');
    await stays.until(/is guarded, as stays\./);
    const guard = start([...here.bare('--name', 'fragile'), '--', process.execPath, '-e', FRAGILE]);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const called = client.request('tools/call', { name: 'work', arguments: { on: 'it' } });
    const { id } = await next(reviewer, 'work');
    client.notify('notifications/end');
    await expect(called).rejects.toThrow(/exited with code 4\. Nothing was run\.$/);
    const { code, stderr } = await guard.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /exited with code 4\. Calls that waited for a decision were withdrawn and did not run\.\n/,
      ),
    ]);
    expect((await here.run('show', id)).stdout).toMatch(/withdrawn[^]*exited with code 4/);
    await here.stop(stays);
  });

  it('O-23: does not claim that nothing ran if a server exits while a call of it runs', async () => {
    await using here = await machine();
    const stays = here.guard('--name', 'stays');
    await stays.until(/is guarded, as stays\./);
    const guard = start([...here.bare('--name', 'fragile'), '--', process.execPath, '-e', FRAGILE]);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const called = client.request('tools/call', { name: 'work', arguments: { on: 'it' } });
    called.catch(() => {});
    const proposal = await next(reviewer, 'work');
    // Nobody answers it: the guard ends with its server.
    proposal.fulfil().catch(() => {});
    const { stderr } = await guard.ended;
    expect(stderr).toContain('1 call had started: nobody knows whether it ran.');
    await here.stop(stays);
  });

  it('is the command a guard prints for watching its inbox', async () => {
    await using here = await machine();
    const env = { PROFFER_HOME: here.home };
    const args = ['guard', '--gateway-port', '0', '--', process.execPath, SERVER, here.files];
    const guard = start(args, { env });
    expect(await guard.until(/to approve, in a terminal:.*\n/)).toContain(
      `to approve, in a terminal:  PROFFER_HOME=${here.home} proffer inbox --watch --guard\n`,
    );
    expect(await proffer(['inbox', '--guard'], { env })).toMatchObject({ code: 0 });
    await here.stop(guard);
  });

  it('reports that no guard has run, and cannot be combined with another address', async () => {
    await using folder = await temporaryFolder();
    const env = { PROFFER_HOME: folder.path };
    const none = await runHere(['inbox', '--guard'], env);
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('No guard has run here yet') });
    const both = await runHere(['inbox', '--guard', '--url', 'http://127.0.0.1:1'], env);
    expect(both.code).toBe(2);
  });
});
