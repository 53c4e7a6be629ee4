import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { start } from '../testing/cli.js';
import { machine, next } from '../testing/guard-machine.js';
import { runHere } from '../testing/in-process.js';
import { connectMcp } from '../testing/mcp-client.js';

const STUBBORN = fileURLToPath(
  new URL('../../../mcp/src/bridge/testing/stubborn-server.mjs', import.meta.url),
);

describe('waiting for the result of an approval', () => {
  it('reports the true state on timeout, on interrupt, and when the gateway is gone', async () => {
    await using here = await machine();
    const env = { PROFFER_HOME: here.home };
    writeFileSync(
      join(here.files, 'tools.json'),
      JSON.stringify([{ name: 'hang', inputSchema: { type: 'object' } }]),
    );
    const guard = start([...here.bare('--name', 'slow'), '--', process.execPath, STUBBORN, here.files]);
    await guard.until(/is guarded, as slow\./);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const call = async (about: string): Promise<string> => {
      void client.request('tools/call', { name: 'hang', arguments: { about } }).catch(() => undefined);
      return (await next(reviewer, about)).id;
    };
    const late = await call('late');
    const timedOut = await runHere(['approve', late, '--guard', '--timeout', '2s'], env);
    expect(timedOut.code).toBe(4);
    expect(timedOut.stderr).toContain(`"${late}" is approved, but there was no result in time.`);
    const left = await call('left');
    const interrupted = start(['approve', left, '--guard'], { env });
    await interrupted.until(/Approved/);
    interrupted.child.kill('SIGINT');
    const told = await interrupted.ended;
    expect(told.code).toBe(130);
    expect(told.stderr).toContain(`No longer waiting for the result of "${left}"; the approval stands.`);
    const gone = await call('gone');
    const lost = start(['approve', gone, '--guard'], { env });
    await lost.until(/Approved/);
    guard.child.kill('SIGKILL');
    const ended = await lost.ended;
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(`The gateway is offline. The approval of "${gone}" is stored`);
    expect(ended.stderr).toContain(`proffer show ${gone} --data ${here.data}`);
    for (const { stderr } of [timedOut, told, ended]) {
      expect(stderr).not.toContain('withdraw');
      expect(stderr).not.toContain('No decision on');
    }
    expect((await runHere(['show', gone, '--data', here.data])).stdout).toContain(
      'reviewer approved this call',
    );
  });

  it('reads the result from the journal if the gateway exits along with its guard', async () => {
    await using here = await machine();
    const guard = here.guard();
    await guard.until(/is guarded, as filesystem\./);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const written = here.write(client, 'done.txt');
    const { id } = await next(reviewer, 'done.txt');
    const approver = start(['approve', id, '--guard'], { env: { PROFFER_HOME: here.home } });
    await written;
    await here.stop(guard);
    expect(await approver.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('write_file  done'),
    });
  });
});
