import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proffer, start } from '../../testing/cli.js';
import { approveUntilDone, left, machine, next, SERVER } from '../../testing/guard-machine.js';
import { connectMcp } from '../../testing/mcp-client.js';

describe('proffer guard', () => {
  it('starts a gateway, says where to approve, and runs what is approved, with one command', async () => {
    await using here = await machine();
    const guard = here.guard();
    const said = await guard.until(/to approve, in a terminal: .*\n/);
    expect(said).toMatch(
      /proffer inbox --watch --url http:\/\/127\.0\.0\.1:\d+ --token "\$\(cat \S*reviewer\.token\)"/,
    );
    expect(said).not.toContain(readFileSync(join(here.data, 'reviewer.token'), 'utf8').trim());
    expect(statSync(join(here.data, 'reviewer.token')).mode & 0o077).toBe(0);
    const client = await connectMcp(guard);
    await guard.until(/filesystem calls itself "secure-filesystem-server \S+"\./);
    const listed = await client.request('tools/call', {
      name: 'list_directory',
      arguments: { path: here.files },
    });
    expect(listed).not.toMatchObject({ isError: true });
    await using reviewer = await here.reviewer();
    const approved = here.write(client, 'yes.txt');
    const { id } = await next(reviewer, 'yes.txt');
    expect(await here.run('approve', id)).toMatchObject({ code: 0 });
    await approved;
    expect(readFileSync(join(here.files, 'yes.txt'), 'utf8')).toBe('yes.txt');
    const rejected = here.write(client, 'no.txt');
    await (await next(reviewer, 'no.txt')).reject('unsafe');
    expect(await rejected).toMatchObject({ isError: true });
    expect(existsSync(join(here.files, 'no.txt'))).toBe(false);
    await here.stop(guard);
    expect((await guard.ended).code).toBe(0);
  });

  it('writes no secret to its log, whatever carries one', async () => {
    await using here = await machine();
    const guard = here.guard();
    await guard.until(/to approve, in a terminal: .*\n/);
    const client = await connectMcp(guard);
    await using reviewer = await here.reviewer();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const write = (path: string) =>
      client.request('tools/call', { name: 'write_file', arguments: { path, content: `token=${token}` } });
    const rejected = write(join(here.files, `${token}.txt`));
    await (await next(reviewer, token)).reject('unsafe', `${token} is in it`);
    expect(await rejected).toMatchObject({ isError: true });
    // The server's own error names the path.
    const failed = write(join(here.files, 'no-such-folder', token, 'a.txt'));
    await approveUntilDone(await next(reviewer, token));
    expect(await failed).toMatchObject({ isError: true });
    await client.request(`tools/${token}`).catch(() => {});
    await here.stop(guard);
    const { stderr } = await guard.ended;
    expect(stderr).toContain('is guarded');
    expect(stderr).not.toContain(token);
  });

  it('shares one inbox between several guards, and another takes over when the one running the gateway ends', async () => {
    await using here = await machine();
    const first = here.guard();
    await first.until(/is guarded, as filesystem\./);
    const second = here.guard();
    await second.until(/is guarded, as filesystem-2\./);
    const [one, two] = [await connectMcp(first), await connectMcp(second)];
    await using reviewer = await here.reviewer();
    const [mine, theirs] = [here.write(one, 'one.txt'), here.write(two, 'two.txt')];
    await (await next(reviewer, 'one.txt')).fulfil();
    await mine;
    const proposal = await next(reviewer, 'two.txt');
    await here.stop(first);
    // It is asked as soon as the gateway is back, and not before its executor is.
    await expect
      .poll(
        () =>
          proposal.fulfil().then(
            () => 'ran',
            (error: Error) => error.message,
          ),
        { timeout: 30_000 },
      )
      .toBe('ran');
    await theirs;
    expect(readFileSync(join(here.files, 'two.txt'), 'utf8')).toBe('two.txt');
    await here.stop(second);
  });

  it('I-2, O-15: neither runs nor takes over what waits for another server of the same name', async () => {
    await using here = await machine();
    // Runs the gateway, which therefore survives when another guard is killed.
    const host = here.guard('--name', 'host');
    await host.until(/is guarded, as host\./);
    const first = here.guard();
    await first.until(/is guarded, as filesystem\./);
    void here.write(await connectMcp(first), 'one.txt').catch(() => {});
    await using reviewer = await here.reviewer();
    const pending = await next(reviewer, 'one.txt');
    const gone = left(reviewer, 'filesystem');
    first.child.kill('SIGKILL');
    const other = start([...here.args(), here.data]);
    await other.until(/is guarded, as filesystem-2\./);
    await gone;
    await expect(pending.fulfil()).rejects.toThrow('which would run it, is not connected');
    const second = here.guard();
    await second.until(/is guarded, as filesystem\./);
    const again = here.write(await connectMcp(second), 'one.txt');
    await approveUntilDone(pending);
    expect(await again).not.toMatchObject({ isError: true });
    expect(readFileSync(join(here.files, 'one.txt'), 'utf8')).toBe('one.txt');
    await Promise.all([here.stop(second), here.stop(other), here.stop(host)]);
  });

  it('uses a running gateway, and a file of rules', async () => {
    await using here = await machine();
    await writeFile(join(here.files, 'rules.yaml'), 'default: deny\n');
    const up = start(['up', '--dev', '--port', '0', '--data', join(here.data, 'journal')], {
      cwd: here.files,
    });
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    const guard = here.guard('--url', url, '--token', 'files', '--rules', join(here.files, 'rules.yaml'));
    await guard.until(/as files\. Rules: .*rules\.yaml/);
    const client = await connectMcp(guard);
    expect(await here.write(client, 'no.txt')).toMatchObject({ isError: true });
    await here.stop(guard);
    up.child.kill('SIGTERM');
    await up.ended;
  });

  it.each([
    ['no server', ['guard'], 'Which server?'],
    ['two servers', ['guard', '--server-url', 'http://127.0.0.1:1', '--', 'x'], 'Which server?'],
    ['a missing rules file', ['guard', '--rules', 'none.yaml', '--', 'x'], 'does not exist. Check its path'],
    ['a token without a use', ['guard', '--token', 'x', '--data', 'none', '--', 'x'], 'belong to --url'],
    ['no server to bridge', ['bridge'], 'Which server?'],
  ])('%s exits with 2 and explains the right usage', async (_title, args, sentence) => {
    const { code, stderr, stdout } = await proffer(args);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('missing command', () => {
  it.each(['guard', 'bridge'])('%s reports it and says what to do', async (command) => {
    await using here = await machine();
    const [, ...rest] = here.bare('--', 'no-such-server');
    const { code, stderr } = await proffer([command, ...rest]);
    expect(code).toBe(1);
    expect(stderr).toContain('the command "no-such-server" was not found');
    expect(stderr).toContain('Write its full path');
    expect(stderr).not.toContain('ENOENT');
  });
});

describe('proffer bridge', () => {
  it('O-26: lets a server run approved calls', async () => {
    await using here = await machine();
    const up = start(['up', '--dev', '--port', '0', '--data', join(here.data, 'journal')], {
      cwd: here.files,
    });
    const [, url = ''] = /HTTP +(http:\S+)/.exec(await up.until(/Ctrl-C stops it/)) ?? [];
    const env = { PROFFER_URL: url };
    const bridge = start([
      'bridge',
      '--data',
      here.data,
      '--gateway',
      url,
      '--token',
      'files',
      '--',
      process.execPath,
      SERVER,
      here.files,
    ]);
    await bridge.until(/serves its tools/);
    const path = join(here.files, 'a.txt');
    await proffer(
      ['propose', 'write_file', '--arg', `path=${path}`, '--arg', 'content=hello', '--id', 'a', '--no-wait'],
      { env },
    );
    expect(await proffer(['approve', 'a'], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe('hello');
    for (const { child, ended } of [bridge, up]) {
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
  });
});
