import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../../testing/cli.js';
import { machine, next } from '../../testing/guard-machine.js';
import { runHere } from '../../testing/in-process.js';
import { connectMcp } from '../../testing/mcp-client.js';

/** A fake URL opener in a folder to put first on the PATH; it records the addresses it gets. */
async function withOpener(home: string) {
  const folder = join(home, 'bin');
  const opened = join(home, 'opened');
  await mkdir(folder);
  const program = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  await chmod(program, 0o755);
  const addresses = async (): Promise<readonly string[]> =>
    (await readFile(opened, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { env: { PROFFER_HOME: home, PATH: `${folder}:${process.env['PATH'] ?? ''}` }, addresses };
}

async function redeem(link: string): Promise<Response> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ code: hash.replace('#code=', '') });
  return await fetch(`${origin}/hooks/sign-in`, { method: 'POST', body });
}

describe("guards' inbox in a browser", () => {
  it('opens when the first call is held, with a link that signs in once', async () => {
    await using here = await machine();
    const { env, addresses } = await withOpener(here.home);
    const guard = start(here.args('--open'), { env });
    const said = await guard.until(/in a browser: +\S+#code=\S+/);
    const [printed = ''] = /http:\S+#code=\S+/.exec(said) ?? [];
    const client = await connectMcp(guard);
    expect(await addresses()).toEqual([]);
    const first = here.write(client, 'one.txt');
    await expect.poll(addresses, { timeout: 10_000 }).toHaveLength(1);
    const [link = ''] = await addresses();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{22}$/);
    for (const one of [link, printed]) {
      const given = (await (await redeem(one)).json()) as { token: string };
      const whoami = await fetch(new URL('/whoami', one), {
        headers: { authorization: `Bearer ${given.token}` },
      });
      expect(await whoami.json()).toMatchObject({ participant: 'reviewer' });
      const again = await redeem(one);
      expect([again.status, await again.text()]).toEqual([401, expect.stringContaining('already been used')]);
    }
    await using reviewer = await here.reviewer();
    await (await next(reviewer, 'one.txt')).fulfil();
    await first;
    const asked = await runHere(['inbox', '--guard', '--open'], env);
    expect(asked.stdout).toMatch(/^http\S+\/console\/#code=[\w-]{22}\n$/);
    expect(await addresses()).toEqual([link, asked.stdout.trim()]);
    await here.stop(guard);
  });

  it('holds the call and prints the link if nothing can be opened', async () => {
    await using here = await machine();
    const guard = start(here.args(), { env: { PATH: here.home, PROFFER_OPEN: '1' } });
    const client = await connectMcp(guard);
    const called = here.write(client, 'two.txt');
    await guard.until(/cannot be opened: .*ENOENT.* The inbox: http\S+#code=/);
    await using reviewer = await here.reviewer();
    await (await next(reviewer, 'two.txt')).fulfil();
    expect(JSON.stringify(await called)).toContain('Successfully wrote');
    await here.stop(guard);
  });
});
