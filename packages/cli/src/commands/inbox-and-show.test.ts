import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { useDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

const FIXTURES = fileURLToPath(new URL('../../../journal/fixtures', import.meta.url));

const gateway = useDevGateway();
const { propose } = gateway;

describe('reading', () => {
  it('O-27: inbox lists pending proposals, as a table and as JSON', async () => {
    await propose('listed', '--ttl', '5m');
    const { stdout } = await gateway.run('inbox');
    expect(stdout).toMatch(/^ID +FROM +WHAT +ARGUMENTS +RISK +AGE +EXPIRES/);
    expect(stdout).toMatch(/listed +agent +echo +text="listed" .*in 4m \d+s/);
    const { proposals } = JSON.parse((await gateway.run('inbox', '--json')).stdout) as {
      proposals: { id: string; state: string }[];
    };
    expect(proposals.every(({ state }) => state === 'pending')).toBe(true);
    expect(proposals.map(({ id }) => id)).toContain('listed');
  });

  it('O-4: log filters by sender and kind, and continues after a seq', async () => {
    await propose('logged');
    await gateway.run('reject', 'logged', '--reason', 'busy');
    const read = async (...args: readonly string[]) =>
      (await gateway.run('log', '--json', ...args)).stdout
        .split('\n')
        .filter((line) => line !== '')
        .map(
          (line) => JSON.parse(line) as { seq: number; from: string; kind: string; correlationId?: string },
        );
    const rejections = await read('--kind', 'mcpx.reject.*', '--from', 'reviewer');
    const last = rejections.at(-1);
    expect(last).toMatchObject({ correlationId: 'logged', kind: 'mcpx.reject.proposal' });
    expect(await read('--after', String(last?.seq))).toEqual([]);
    expect(await read('--after', String((last?.seq ?? 0) - 1))).toEqual([last]);
  });

  it("O-4: log shows when a message was accepted, whatever its sender's clock says", async () => {
    const sent = { id: 'dated', ts: '2001-02-03T04:05:06Z', kind: 'chat.message', payload: { text: 'hi' } };
    const headers = { authorization: 'Bearer agent' };
    const body = JSON.stringify(sent);
    await fetch(`${gateway.url}/spaces/main/messages`, { method: 'POST', headers, body });
    const { stdout } = await gateway.run('log', '--kind', 'chat.*');
    expect(stdout).toMatch(/^\d+ +\d\d:\d\d:\d\d +agent +says +hi$/m);
    expect(stdout).not.toContain('2001');
    const follower = gateway.start('log', '--follow', '--kind', 'chat.*', '--json');
    await follower.until(/"dated".*\n/);
    follower.interrupt();
    const followed = await follower.ended;
    const { time } = JSON.parse(followed.stdout) as { time: number };
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
  });

  it('log says on stderr when its filters leave nothing', async () => {
    const none = await gateway.run('log', '--json', '--from', 'nobody', '--kind', 'chat.*');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toMatch(/^None of \d+ messages matches --from nobody --kind chat\.\*\.\n$/);
    const later = await gateway.run('log', '--after', '999999');
    expect(later).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('the latest seq of the space'),
    });
  });

  it('show and approve say why the proposer asks, in its own words', async () => {
    await propose('explained', '--reason', 'Tests need\tit');
    const quoted = '“Tests need\\u{9}it”';
    expect((await gateway.run('show', 'explained')).stdout).toContain(`proposed this call  ${quoted}`);
    const { stdout, stderr } = await gateway.run('approve', 'explained');
    expect(`${stdout}${stderr}`).toContain(`because   ${quoted}`);
    expect((await gateway.run('show', 'explained', '--data', gateway.data)).stdout).toContain(quoted);
  });

  it.each(['v1', 'v2', 'v3'])(
    'log shows a journal of format %s, also records without a sender',
    async (format) => {
      await using folder = await temporaryFolder();
      await cp(join(FIXTURES, format, 'journal'), folder.path, { recursive: true });
      const { stdout, stderr, code } = await runHere(['log', '--data', folder.path], { HOME: folder.path });
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(stdout).toMatch(/^\d+ .* agent +\S+ /m);
      expect(stdout).not.toContain('undefined');
    },
  );

  it('every command uses the same names for the states of a proposal', async () => {
    await propose('named');
    const json = async (...args: readonly string[]) =>
      JSON.parse((await gateway.run(...args)).stdout) as {
        state?: string;
        proposal?: { id: string; state: string };
        proposals?: readonly { id: string; state: string }[];
      };
    const pending = { id: 'named', state: 'pending' };
    expect((await json('show', 'named', '--json')).proposal).toMatchObject(pending);
    expect(await json('approve', 'named', '--json')).toMatchObject({ id: 'named', state: 'settled' });
    const ended = (await json('inbox', '--all', '--json')).proposals?.at(-1);
    expect(ended).toMatchObject({ id: 'named', state: 'settled', decision: { by: 'reviewer' } });
    expect(ended).not.toHaveProperty('phase');
  });

  it('doctor says who you are, what you may do, and where you may not go', async () => {
    const agent = await gateway.run('doctor', '--as', 'agent', '--data', gateway.data);
    expect(agent.stdout).toMatch(/you are agent, with \d+ capabilities in main; \d+ pending\./);
    const lost = await gateway.run('doctor', '--space', 'nowhere', '--data', gateway.data);
    expect(lost.stdout).toContain('you are reviewer, who may not enter nowhere.');
    expect(lost.stdout).toContain('Use --space with one of: main.');
  });

  it('exits with 1 and a helpful command for what does not exist', async () => {
    const { code, stderr } = await gateway.run('show', 'nothing');
    expect(code).toBe(1);
    expect(stderr).toContain('Proposal "nothing" not found.');
    expect(stderr).toContain('proffer inbox');
  });

  it('the live view needs a terminal, and says what programs use instead', async () => {
    const { code, stderr } = await gateway.run('inbox', '--watch');
    expect(code).toBe(2);
    expect(stderr).toContain('proffer log --follow --json');
  });
});
