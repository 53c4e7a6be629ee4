import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proffer, start, temporaryFolder } from '../testing/cli.js';
import { machine, next, SERVER } from '../testing/guard-machine.js';
import { connectMcp } from '../testing/mcp-client.js';

describe('--guard', () => {
  it('O-17: leads to the inbox of the guards; who rejected a call is who decided, also without a gateway', async () => {
    await using here = await machine();
    const run = (...args: readonly string[]) => proffer(args, { env: { PROFFER_HOME: here.home } });
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const rejected = here.write(client, 'no.txt');
    const { id } = await next(reviewer, 'no.txt');
    const listed = await run('inbox', '--guard');
    expect(listed.stdout).toContain(join(here.files, 'no.txt'));
    expect(listed.stdout).toContain('each with --guard');
    // The beginning of the id is enough.
    const said = await run('reject', id.slice(0, -4), '--guard', '--reason', 'not today');
    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unless whoever proposed it gives up'),
    });
    await rejected;
    const decision = 'rejected by reviewer: not today (then withdrawn by filesystem)';
    await expect.poll(async () => (await run('show', id, '--guard')).stdout).toContain(decision);
    await here.stop(guard);
    const gone = await run('inbox', '--guard');
    expect(gone.code).toBe(3);
    expect(gone.stderr).toContain(`log --data ${here.data}`);
    expect(gone.stderr).not.toContain('up --dev');
    expect((await run('show', id.slice(0, -4), '--data', here.data)).stdout).toContain(decision);
    expect((await run('log', '--data', here.data)).stdout).toMatch(/reviewer +rejects .*not today/);
    expect((await run('replay', '--data', here.data)).stdout).toMatch(/rejected +reviewer/);
  });

  it('is what a guard says to watch its inbox with', async () => {
    await using here = await machine();
    const env = { PROFFER_HOME: here.home };
    const args = ['guard', '--gateway-port', '0', '--', process.execPath, SERVER, here.files];
    const guard = start(args, { env });
    expect(await guard.until(/to approve/)).toContain(
      `to approve, in a terminal:  PROFFER_HOME='${here.home}' proffer inbox --watch --guard\n`,
    );
    expect(await proffer(['inbox', '--guard'], { env })).toMatchObject({ code: 0 });
    await here.stop(guard);
  });

  it('says that no guard has run, and does not go with another address', async () => {
    await using folder = await temporaryFolder();
    const env = { PROFFER_HOME: folder.path };
    const none = await proffer(['inbox', '--guard'], { env });
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('No guard has run here yet') });
    const both = await proffer(['inbox', '--guard', '--url', 'http://127.0.0.1:1'], { env });
    expect(both.code).toBe(2);
  });
});
