import { connect } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { useDevGateway } from '../testing/dev-gateway.js';

const gateway = useDevGateway();

const propose = (id: string) =>
  gateway.run('propose', 'echo', '--arg', `text=${id}`, '--id', id, '--no-wait');

describe('typos by a reviewer', () => {
  it('O-13: rejects a name unknown to call and tool, changes nothing, and suggests what may be meant', async () => {
    await propose('slip');
    const slip = await gateway.run('approve', 'slip', '--set', 'texxt=better');
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain('no argument "texxt"');
    expect(slip.stderr).toContain('--set text=better   # did you mean this?');
    expect(slip.stderr).toContain('--add texxt=better');
    const nested = await gateway.run('approve', 'slip', '--set', '/argumentz/text=better');
    expect(nested).toMatchObject({ code: 2, stderr: expect.stringContaining('"argumentz"') });
    const { stdout } = await gateway.run('show', 'slip', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ proposal: { state: 'pending' } });
    // Added arguments are checked against the tool's schema (O-39).
    const added = await gateway.run('approve', 'slip', '--add', 'note=mine');
    expect(added.code).toBe(1);
    expect(added.stderr).toContain('/arguments/note');
    await gateway.run('withdraw', 'slip');
  });

  it('O-13: accepts an argument that the tool announces and the call lacks', async () => {
    await using server = await connect({ url: gateway.url, space: 'main', token: 'notes' });
    const properties = { name: { type: 'string' }, text: { type: 'string' } };
    await server.serve([
      {
        name: 'jot',
        inputSchema: { type: 'object', properties, required: ['name'], additionalProperties: false },
        handler: ({ name, text }) => `Wrote ${text as string} into ${name as string}`,
      },
    ]);
    await gateway.run('propose', 'jot', '--arg', 'name=a.txt', '--id', 'short', '--no-wait');
    const approved = await gateway.run('approve', 'short', '--set', 'text=whole');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote whole') });
  });

  it('O-26: reports that nobody serves the tool, and suggests a similar one', async () => {
    const proposed = await gateway.run('propose', 'files/echo', '--id', 'unserved', '--no-wait');
    expect(proposed.stderr).toContain('Did you mean echo?');
    const { code, stderr } = await gateway.run('approve', 'unserved');
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean echo, which is served?');
    expect(stderr).not.toContain('--to NAME');
    await gateway.run('withdraw', 'unserved');
  });

  it('O-26: does not guess why a connected guard does not announce a tool', async () => {
    await using guard = await connect({ url: gateway.url, space: 'main', token: 'files' });
    await guard.serve([{ name: 'files/read', handler: () => 'read' }]);
    const id = 'call-fedcba9876543210fedcba98-0123456789ab-1';
    const proposal = guard.propose('tools/call', { name: 'files/write' }, { id });
    await proposal.accepted;
    const { code, stderr } = await gateway.run('approve', id);
    expect(code).toBe(1);
    expect(stderr).toContain('The guard files is connected but does not offer this tool now');
    expect(stderr).toContain('then approve again');
    await proposal.withdraw();
  });

  it("points to --guard for a guard's id that is not found here", async () => {
    const { code, stderr } = await gateway.run('approve', 'call-0123456789abcdef01234567');
    expect([code, stderr]).toEqual([1, expect.stringContaining('→ --guard ')]);
  });
});

describe('pasted and displayed text', () => {
  it('accepts the WebSocket address that the gateway prints for the gateway and its space', async () => {
    const at = `${gateway.url.replace('http', 'ws')}/ws?space=main`;
    for (const option of ['--url', '--gateway']) {
      expect(await gateway.run('inbox', '--json', option, at)).toMatchObject({ code: 0, stderr: '' });
    }
    const elsewhere = await gateway.run('inbox', '--url', at.replace('main', 'elsewhere'));
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('elsewhere') });
    const wrong = await gateway.run('inbox', '--url', at.replace('ws:', 'wz:'));
    expect(wrong.stderr).toContain(`→ --url ${gateway.url}`);
  });

  it('takes arguments as JSON with --arguments; --json is for output, and gives arguments only as it used to', async () => {
    const given = '{"text":"hi"}';
    const argumentsOf = async (id: string) => {
      const { proposal } = JSON.parse((await gateway.run('show', id, '--json')).stdout);
      return proposal.params.arguments;
    };
    const withBoth = await gateway.run(
      'propose',
      'echo',
      '--arguments',
      given,
      '--json',
      '--id',
      'now',
      '--no-wait',
    );
    expect(JSON.parse(withBoth.stdout)).toMatchObject({ id: 'now' });
    const old = await gateway.run('propose', 'echo', '--json', given, '--id', 'old', '--no-wait');
    expect(old.stdout).toContain('Proposed old at ');
    for (const id of ['now', 'old']) expect(await argumentsOf(id)).toEqual({ text: 'hi' });
    for (const more of [
      ['--arg', 'a=1'],
      ['--json', '{}'],
    ]) {
      const { code, stderr } = await gateway.run('propose', 'echo', '--arguments', given, ...more);
      expect([code, stderr]).toEqual([2, expect.stringContaining('leave out --arg')]);
    }
    const { stdout } = await gateway.run('propose', '--help');
    expect(stdout).toMatch(/--json +print JSON/);
    await gateway.run('withdraw', 'now', 'old');
  });

  it('shows arguments in a stable order and text line by line, with and without a gateway', async () => {
    const given = ['--arguments', '{"b":{"z":1,"y":2},"a":"x"}'];
    await gateway.run('propose', 'nothing', ...given, '--id', 'order', '--no-wait');
    await propose('lines');
    await gateway.run('approve', 'lines', '--set', 'text=one\ntwo');
    const [inbox, log, offline, show] = await Promise.all([
      gateway.run('inbox'),
      gateway.run('log'),
      gateway.run('log', '--data', gateway.data),
      gateway.run('show', 'order'),
    ]);
    for (const { stdout } of [inbox, log, offline]) expect(stdout).toContain('a="x" b={"y":2,"z":1}');
    expect(show.stdout).toMatch(/\n {2}a {2}"x"\n {2}b\n {4}\{\n {6}"y": 2/);
    for (const { stdout } of [log, offline]) expect(stdout).toMatch(/answers +one ↵ two\n/);
  });
});
