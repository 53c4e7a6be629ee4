import { describe, expect, it } from 'vitest';
import { startDevGateway, useDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

const gateway = useDevGateway();
const { propose } = gateway;

describe('proposing', () => {
  it('O-26: notes that nobody serves the tool now, with what is served and what to do', async () => {
    const [unserved, served, read] = await Promise.all([
      gateway.run('propose', 'paint_house', '--arg', 'colour=red', '--no-wait'),
      propose('served'),
      gateway.run('propose', 'file:///a', '--method', 'resources/read', '--no-wait'),
    ]);
    expect(unserved).toMatchObject({ code: 0, stdout: expect.stringContaining('Proposed') });
    expect(unserved.stderr).toContain('nobody in main serves paint_house right now');
    expect(unserved.stderr).toContain('served now: echo, add, current_time, write_note');
    expect(unserved.stderr).toContain(`proffer bridge --url ${gateway.url} --token … -- COMMAND…`);
    for (const { code, stderr } of [served, read]) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('waiting', () => {
  it('O-32: keeps waiting while the reviewer is offline, and says so', async () => {
    const proposer = gateway.start('propose', 'echo', '--arg', 'text=hi', '--to', 'reviewer', '--id', 'away');
    await proposer.until(/reviewer is offline\. This call stays pending/);
    await gateway.run('approve', 'away', '--no-wait');
    expect(await proposer.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('hi') });
  });

  it('I-6: reports when the gateway goes away and comes back, and keeps waiting', async () => {
    await using first = await startDevGateway();
    const proposer = first.start('propose', 'echo', '--arg', 'text=patience', '--id', 'patient');
    await proposer.until(/waiting for a decision/);
    await first.stop();
    await proposer.until(/gateway lost; reconnecting/);
    await first.restart();
    await proposer.until(/Reconnected; still waiting/);
    await first.run('approve', 'patient', '--no-wait');
    const ended = await proposer.ended;
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('│ patience') });
  });
});

describe('deciding', () => {
  it('O-11: runs what is approved, and both sides get the result', async () => {
    const proposer = gateway.start('propose', 'add', '--arg', 'a=2', '--arg', 'b=3', '--id', 'sum');
    await proposer.until(/waiting for a decision/);
    const approved = await gateway.run('approve', 'sum');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(/sum {2}add {2}done\n│ 5/) });
    expect(await proposer.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('│ 5') });
  });

  it('O-12: refuses a second approval, names the winner, and exits with 1', async () => {
    await propose('twice');
    expect((await gateway.run('approve', 'twice')).code).toBe(0);
    const second = await gateway.run('approve', 'twice', '--json');
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({
      error: { code: 'proposal_not_pending', details: { by: 'reviewer' } },
    });
    // In the same words as `show`, in every late case.
    const late =
      'Too late: nothing was changed. "twice": reviewer approved this call. It ran.\n  → proffer show twice';
    expect(second.stderr).toContain(late);
    expect((await gateway.run('reject', 'twice', '--reason', 'no')).stderr).toContain(late);
    expect((await gateway.run('show', 'twice')).stdout).toContain('done');
  });

  it('resolves an id prefix to a pending proposal, and reports if all matches are closed', async () => {
    await propose('same-1');
    await propose('same-2');
    expect((await gateway.run('approve', 'same-')).stderr).toContain(
      'The ids of several proposals begin with "same-"',
    );
    await gateway.run('approve', 'same-1');
    expect((await gateway.run('approve', 'same-')).stdout).toContain('│ same-2');
    const over = await gateway.run('approve', 'same-');
    expect(over).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No pending proposal has an id that begins with'),
    });
    expect((await gateway.run('show', 'same-')).stderr).toContain(
      'The ids of several proposals begin with "same-"',
    );
  });

  it('rejects an id that is also a prefix of another, shows both in full, and accepts it with --exact', async () => {
    const real = '93bfb062-1d8e-4c55-a7f4-0b9d7a6f1c22';
    const fake = '93bfb062-1d8e';
    await propose(real);
    expect((await gateway.run('inbox')).stdout).toMatch(/^93bfb062-1d8e… /m);
    await propose(fake);
    const { stdout } = await gateway.run('inbox');
    expect(stdout).toMatch(/^93bfb062-1d8e-… /m);
    expect(stdout).toMatch(/^"93bfb062-1d8e" /m);
    for (const [command, ...more] of [
      ['approve'],
      ['reject', '--reason', 'no'],
      ['show'],
      ['withdraw'],
    ] as const) {
      for (const typed of [fake, `${fake}…`]) {
        const refused = await gateway.run(command, typed, ...more);
        expect(refused.code).toBe(2);
        expect(refused.stderr).toContain(`→ ${real}   # echo, proposed by agent`);
        expect(refused.stderr).toMatch(/→ 93bfb062-1d8e(?: --exact)? {3}# echo, proposed by agent/);
      }
    }
    expect((await gateway.run('approve', fake, '--exact')).stdout).toContain(`│ ${fake}\n`);
    // Also for a closed one: repeating a command means the same as before.
    expect((await gateway.run('approve', fake)).code).toBe(2);
    expect((await gateway.run('approve', `${real.slice(0, -1)}…`)).stdout).toContain(`│ ${real}`);
  });

  it('O-25: shows the call, the proposer, the executor and the digest, and --digest binds the approval to it', async () => {
    await propose('bound');
    const wrong = await gateway.run('approve', 'bound', '--digest', 'sha256:other', '--json');
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ error: { code: 'digest_mismatch' } });
    const { proposals } = JSON.parse((await gateway.run('inbox', '--json')).stdout) as {
      proposals: { id: string; digest: string }[];
    };
    const digest = proposals.find(({ id }) => id === 'bound')?.digest ?? '';
    const approved = await gateway.run('approve', 'bound', '--digest', digest);
    expect(approved.code).toBe(0);
    expect(approved.stderr).toMatch(
      /^echo {2}\(tools\/call, proposal bound\)\n {2}risk {6}May change something: .*\n {4}text {2}"bound"\n {2}asked by {2}agent, .* ago\n {2}runs on {3}tools, which says: .*\n {2}digest/,
    );
    expect(approved.stderr).toContain(digest);
  });

  it('asks on a terminal, and approves nothing without a yes', async () => {
    await propose('asked');
    const env = { PROFFER_URL: gateway.url };
    for (const types of ['\n', 'n\n', 'yesterday\n', '']) {
      const left = await runHere(['approve', 'asked'], env, { types });
      expect(left).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('Approve and run this call? [y/N]'),
      });
      expect(left.stderr).toMatch(/text {2}"asked"[^]*Nothing was approved\.\n$/);
    }
    const approved = await runHere(['approve', 'asked'], env, { types: 'y\n' });
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('│ asked') });
    await propose('sure');
    const sure = await runHere(['approve', 'sure', '--yes'], env, { types: '' });
    expect(sure).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('Approve and run this call?'),
    });
  });

  it('O-13: runs the edited call, and show prints the difference', async () => {
    await propose('amended');
    const approved = await gateway.run('approve', 'amended', '--set', 'text=better');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('│ better') });
    const { stdout } = await gateway.run('show', 'amended');
    expect(stdout).toMatch(/reviewer +approved this call with changes; tools runs it/);
    expect(stdout).toMatch(/\/arguments\/text\n +- "amended"\n +\+ "better"/);
    expect(stdout).toMatch(/Decision {2}reviewer approved this call with changes\. Decided after /);
  });

  it('O-17, O-31: delivers a rejection with its reason to the waiting proposer, and nothing runs afterwards', async () => {
    const proposer = gateway.start('propose', 'echo', '--arg', 'text=x', '--id', 'no', '-o', 'json');
    const log = gateway.start('log', '--follow', '--json');
    await log.until(/"id":"no"/);
    log.interrupt();
    expect((await log.ended).code).toBe(0);
    const rejected = await gateway.run('reject', 'no', '--reason', 'policy', '--message', 'not on Fridays');
    expect(rejected).toMatchObject({ code: 0, stdout: expect.stringContaining('Rejected no.') });
    const ended = await proposer.ended;
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      state: 'withdrawn',
      rejections: { reviewer: { reason: 'policy', message: 'not on Fridays', couldApprove: true } },
      decision: { decision: 'rejected', by: 'reviewer' },
    });
    expect(await gateway.run('approve', 'no')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Too late'),
    });
  });

  it('O-15, O-16: withdraws several at once; a second attempt is too late and says so', async () => {
    await propose('one');
    await propose('two');
    expect(await gateway.run('withdraw', 'one', 'two')).toMatchObject({
      code: 0,
      stdout: 'one  withdrawn\ntwo  withdrawn\n',
    });
    for (const command of ['withdraw', 'approve']) {
      const late = await gateway.run(command, 'one');
      expect(late.code).toBe(1);
      expect(late.stderr).toContain(
        'Too late: nothing was changed. "one": agent withdrew this call. Nothing ran.',
      );
    }
    const foreign = await propose('mine').then(() => gateway.run('withdraw', 'mine', '--as', 'reviewer'));
    expect(foreign).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only the proposer may do this'),
    });
  });

  it('O-19: exits with 4 if nobody decides in time, and if the wait times out', async () => {
    const expired = await gateway.run('propose', 'echo', '--arg', 'text=x', '--ttl', '50ms');
    expect(expired).toMatchObject({ code: 4, stdout: expect.stringContaining('expired') });
    const timedOut = await gateway.run('propose', 'echo', '--arg', 'text=x', '--timeout', '50ms');
    expect(timedOut).toMatchObject({ code: 4, stderr: expect.stringContaining('in time.') });
  });

  it('says on interrupt that the proposal stays open, and exits with 130', async () => {
    const proposer = gateway.start('propose', 'echo', '--arg', 'text=x', '--id', 'left');
    await proposer.until(/waiting for a decision/);
    proposer.interrupt();
    expect(await proposer.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('proffer withdraw left'),
    });
    expect((await gateway.run('withdraw', 'left')).code).toBe(0);
  });

  it('O-9: tells someone who may not approve who may', async () => {
    await propose('guarded');
    const refused = await gateway.run('approve', 'guarded', '--as', 'agent');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('"agent" may not send "mcp.request.tools/call:echo"');
    expect(refused.stderr).toContain('--as reviewer');
    // With a token, the gateway may not be in dev mode.
    const { stderr } = await gateway.run('approve', 'guarded', '--token', 'agent');
    expect(stderr).toContain('--token …   # the token of someone allowed to do this');
    expect(stderr).not.toContain('--as');
  });

  it('exits with 1 and shows why if the tool fails', async () => {
    await gateway.run(
      'propose',
      'write_note',
      '--json',
      '{"name":"../up","text":""}',
      '--id',
      'bad',
      '--no-wait',
    );
    const failed = await gateway.run('approve', 'bad');
    expect(failed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('│ name must be a plain file name'),
    });
  });

  it('keeps text from a proposal from moving the cursor, reordering the line or imitating our output', async () => {
    const text = 'a\u001b[2Jb\u202ec\r\n✓ approved by reviewer';
    await gateway.run('propose', 'echo', '--json', JSON.stringify({ text }), '--id', 'spoof', '--no-wait');
    for (const args of [['inbox'], ['show', 'spoof'], ['log'], ['approve', 'spoof']]) {
      const { stdout, stderr } = await gateway.run(...args);
      expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|^✓ approved/mu);
    }
  });
});
