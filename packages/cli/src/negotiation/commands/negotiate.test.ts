import { describe, expect, it } from 'vitest';
import { useDevGateway } from '../../testing/dev-gateway.js';
import { openSession } from '../../testing/negotiating.js';

const gateway = useDevGateway();

const run = (...args: readonly string[]) => gateway.run('negotiate', ...args);

/** Runs a command that is accepted, and parses its JSON. */
async function ask<Answer = Record<string, unknown>>(...args: readonly string[]): Promise<Answer> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Answer;
}

describe('negotiating', () => {
  it('N-9, N-10: goes from start to commitment, and show says why it can be committed or not', async () => {
    const parties = ['-p', 'buyer', '-p', 'seller', '--ttl', '10m', '--as', 'buyer'];
    const started = await run('start', 'a service contract', ...parties);
    const [, session = ''] = /^Started (\S+)\./.exec(started.stdout) ?? [];
    expect(started.stdout).toContain(`proffer negotiate propose ${session} p1`);
    // A prefix of the id is enough.
    const short = session.slice(0, 12);
    await run('propose', short, 'p1', 'Standard', '--summary', '$100k', '--tag', 'opening', '--as', 'seller');
    await run('counter', short, 'p2', 'p1', 'Better', '--summary', '$80k\n24/7', '--as', 'buyer');
    const early = await run('show', short);
    expect(early.stdout).toMatch(/OPEN {2}Negotiating {2}.* left\na service contract\n/);
    expect(early.stdout).toMatch(/○ p1 {2}Standard {2}by seller {2}countered by p2 {2}#opening/);
    expect(early.stdout).toMatch(/└─ ● p2 {2}Better {2}by buyer {2}live\n +│ \$80k\n +│ 24\/7\n/);
    expect(early.stdout).toMatch(/buyer cannot commit\n {2}"p2" is not accepted by "seller"\./);
    const accepted = await run('accept', short, 'p2', '--reason', 'fine', '--as', 'seller');
    expect(accepted.stdout).toContain(`All agree on p2:  proffer negotiate commit ${session}`);
    const ready = await ask('show', session);
    expect(ready).toMatchObject({
      session: { state: 'OPEN' },
      proposals: [
        { proposalId: 'p1', disposition: 'withdrawn' },
        { proposalId: 'p2', supersedes: 'p1' },
      ],
      accepts: [{ sender: 'seller', reason: 'fine' }],
      eligibility: { committer: 'buyer', outcomes: ['positive', 'negative'] },
    });
    const outcome = ['--action', 'contract.agreed', '--scope', 'shop', '--reason', 'both agree'];
    expect(await run('commit', short, ...outcome, '--as', 'buyer')).toMatchObject({
      code: 0,
      stdout: '✓ Recorded.  RESOLVED  Committed\n',
    });
  });

  it('N-9: tells the maker of an offer to accept it too, and every suggested command can be pasted', async () => {
    await using session = await openSession(gateway);
    const { sessionId } = session;
    const offered = await run('propose', sessionId, 'p1', 'Ten', '--as', 'seller');
    const accepted = await run('accept', sessionId, 'p1', '--as', 'buyer');
    const shown = await run('show', sessionId);
    const own =
      '"seller" made "p1" but must accept it too: under policy.default, making an offer does not count as accepting it';
    const next = `→ proffer negotiate accept ${sessionId} p1 --as seller --url ${gateway.url}\n`;
    for (const { stdout } of [offered, accepted, shown]) {
      expect(stdout).toContain('"p1" is not accepted by "seller".');
      expect(stdout).toContain(own);
      expect(stdout).toContain(next);
    }
    expect(offered.stdout).toContain('"buyer" accepts by committing.');
    expect(accepted.stdout).not.toContain('accepts by committing');
    expect(offered.stdout).toContain(`proffer negotiate show ${sessionId} --as seller`);
    const outcome = ['--action', 'a.deal', '--scope', 'shop', '--reason', 'x'];
    const early = await run('commit', sessionId, ...outcome, '--as', 'buyer');
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('is not accepted by "seller".') });
    // A user at the command line has no message to correct.
    expect(early.stderr).not.toContain('message id');
    const agreed = await run('accept', sessionId, 'p1', '--as', 'seller');
    const [, commit = ''] = /All agree on p1: {2}proffer negotiate (.*)\n/.exec(agreed.stdout) ?? [];
    expect(commit).toContain('--as buyer');
    expect(await run(...commit.replaceAll('…', 'x').split(' '))).toMatchObject({ code: 0 });
  });

  it("suggests accepting neither a terminally rejected offer nor one's own rejected offer", async () => {
    await using session = await openSession(gateway);
    const { sessionId } = session;
    await run('propose', sessionId, 'p1', 'Ten', '--as', 'seller');
    const doubted = await run('reject', sessionId, 'p1', '--reason', 'too much', '--as', 'buyer');
    expect(doubted.stdout).toContain(`accept ${sessionId} p1 --as seller`);
    expect(doubted.stdout).not.toContain(`accept ${sessionId} p1 --as buyer`);
    const refused = await run('reject', sessionId, 'p1', '--terminal', '--reason', 'no', '--as', 'buyer');
    expect(refused.stdout).toContain('"buyer" has rejected "p1" for good.');
    for (const { stdout } of [refused, await run('show', sessionId)]) {
      expect(stdout).not.toContain('negotiate accept');
      expect(stdout).not.toContain('must accept it too');
    }
  });

  it('reports an excessive duration and a duplicate name as they were written', async () => {
    const [long, twice, help] = await Promise.all([
      run('start', 'x', '-p', 'a', '-p', 'b', '--ttl', '2d', '--as', 'a'),
      run('start', 'x', '-p', 'a', '-p', 'b', '-p', 'a', '--as', 'a'),
      run('start', '--help'),
    ]);
    expect(long.stderr).toContain('No session was started: --ttl is 2d; it may be at most 1d.');
    expect(twice.stderr).toContain('No session was started: --participant "a" is named twice.');
    expect(help.stdout).toMatch(/--ttl <duration>[^-]*\(default:\s+10m\)/);
  });

  it('N-13: shows a session by the rules it was started with, even if its policy was unregistered', async () => {
    const rules = '{"counter_proposal":{"retires_original":false}}';
    expect((await run('policy', 'register', 'policy.gone', '--rules', rules)).code).toBe(0);
    await using session = await openSession(gateway, { policyVersion: 'policy.gone' });
    const { sessionId } = session;
    await session.propose('p1', 'Ten');
    await session.counterPropose('p2', 'p1', 'Eight', { sender: 'seller' });
    const headers = { authorization: 'Bearer reviewer' };
    const removed = await fetch(`${gateway.url}/macp/policies/policy.gone`, { method: 'DELETE', headers });
    expect(removed.status).toBe(200);
    expect(await ask('show', sessionId)).toMatchObject({
      proposals: [
        { proposalId: 'p1', disposition: 'live' },
        { proposalId: 'p2', disposition: 'live' },
      ],
    });
  });

  it('N-11: commits a terminal rejection as a negative outcome', async () => {
    await using session = await openSession(gateway);
    const { sessionId } = session;
    await session.propose('p1', 'Ten');
    const answer = await ask('reject', sessionId, 'p1', '--terminal', '--reason', 'never', '--as', 'seller');
    expect(answer).toMatchObject({ phase: 'TerminalRejected', state: 'OPEN' });
    const outcome = ['--action', 'no.deal', '--scope', 'shop', '--reason', 'seller will not'];
    const denied = await run('commit', sessionId, ...outcome, '--as', 'buyer', '--json');
    expect(denied.code).toBe(1);
    expect(JSON.parse(denied.stdout)).toMatchObject({ error: { code: 'POLICY_DENIED' } });
    expect(denied.stderr).toContain(`proffer negotiate show ${sessionId}`);
    expect((await run('commit', sessionId, ...outcome, '--negative', '--as', 'buyer')).code).toBe(0);
    expect((await run('show', sessionId)).stdout).toMatch(/Outcome {2}negative {2}no\.deal/);
  });

  it('N-4: suspends, resumes, withdraws from and cancels a session', async () => {
    await using session = await openSession(gateway);
    const { sessionId } = session;
    await session.propose('p1', 'Ten', { sender: 'seller' });
    expect(await ask('suspend', sessionId, '--as', 'buyer')).toMatchObject({ state: 'SUSPENDED' });
    const { stdout } = await run('show', sessionId);
    expect(stdout).toMatch(/SUSPENDED {2}Negotiating {2}.* left once it is resumed/);
    expect(stdout).toContain('The session is SUSPENDED.');
    expect(await ask('resume', sessionId, '--as', 'buyer')).toMatchObject({ state: 'OPEN' });
    expect(await ask('withdraw', sessionId, 'p1', '--as', 'seller')).toMatchObject({ isConverged: false });
    expect(await ask('cancel', sessionId, '--reason', 'enough', '--as', 'buyer')).toMatchObject({
      state: 'CANCELLED',
    });
  });

  it('N-13: registers, lists and shows a policy, and a session follows it', async () => {
    const rules = '{"counter_proposal":{"retires_original":false}}';
    expect((await run('policy', 'register', 'policy.keep', '--rules', rules)).code).toBe(0);
    expect((await run('policy', 'list')).stdout).toMatch(/policy\.keep +.* +counter_proposal/);
    expect(await ask('policy', 'show', 'policy.keep')).toMatchObject({
      policy_id: 'policy.keep',
      rules: { counter_proposal: { max_rounds: 0, retires_original: false } },
    });
    const bad = await run('policy', 'register', 'policy.bad', '--rules', '{"nonsense":1}');
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('rules.nonsense');
    expect(bad.stderr).toContain('proffer negotiate policy show policy.default');
    await using session = await openSession(gateway, { policyVersion: 'policy.keep' });
    await session.propose('p1', 'Ten');
    await session.counterPropose('p2', 'p1', 'Eight');
    const { stdout } = await run('show', session.sessionId);
    expect(stdout.match(/by buyer {2}live/g)).toHaveLength(2);
    expect(stdout).toMatch(/policy +policy\.keep/);
  });

  it('N-7, N-8: exits with the right code and a helpful command for impossible actions', async () => {
    await using session = await openSession(gateway);
    const [forbidden, nothing, unreachable, usage, unknown] = await Promise.all([
      run('propose', session.sessionId, 'p1', 'Ten', '--as', 'eve'),
      run('show', 'zzzz'),
      run('list', '--url', 'http://127.0.0.1:1', '--json'),
      run('commit', session.sessionId),
      run('start', 'x', '-p', 'buyer', '--policy', 'policy.none'),
    ]);
    expect(forbidden).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') });
    expect(forbidden.stderr).toContain('proffer negotiate list --as eve');
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('proffer negotiate list') });
    expect(unreachable.code).toBe(3);
    expect(JSON.parse(unreachable.stdout)).toMatchObject({ error: { code: 'unreachable' } });
    expect(usage).toMatchObject({ code: 2, stderr: expect.stringContaining('--action') });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('negotiate policy list') });
  });

  it('reports what happened to a closed offer, which offers are live, and a command for one', async () => {
    await using session = await openSession(gateway);
    const { sessionId } = session;
    await session.propose('p1', 'Ten', { sender: 'seller' });
    const about = (command: string, ...args: readonly string[]) =>
      run(command, sessionId, ...args, '--as', 'seller');
    await session.counterPropose('p2', 'p1', 'Eight');
    const [unknown, countered, taken, nothing] = await Promise.all([
      about('accept', 'p9'),
      about('reject', 'p1'),
      about('propose', 'p2', 'Nine'),
      about('counter', 'p3', 'p8', 'Nine'),
    ]);
    const instead = `proffer negotiate accept ${sessionId} p2 --as seller`;
    expect(unknown.stderr).toContain('There is no offer p9 in this session. The live offer is p2.');
    expect(unknown.stderr).toContain(instead);
    expect(countered.stderr).toContain('Offer p1 was countered by p2.');
    expect(taken.stderr).toContain('Offer p2 already exists.');
    expect(taken.stderr).toContain(`proffer negotiate propose ${sessionId} p3 "…" --as seller`);
    expect(nothing.stderr).toContain(`proffer negotiate counter ${sessionId} p3 p2 "…" --as seller`);
    for (const { code, stderr } of [unknown, countered, taken, nothing]) {
      expect(code).toBe(1);
      expect(stderr).not.toContain('payload.');
    }
    await session.withdraw('p2');
    const { stderr } = await about('accept', 'p2');
    expect(stderr).toContain('Offer p2 was withdrawn. There is no live offer; make one first.');
  });

  it('does not suggest a session that was not started or may not be read', async () => {
    await using session = await openSession(gateway);
    const [long, eve] = await Promise.all([
      run('start', 'x', '-p', 'buyer', '--ttl', '5d', '--as', 'buyer'),
      run('propose', session.sessionId, 'p1', 'Ten', '--as', 'eve'),
    ]);
    expect(long).toMatchObject({ code: 1, stderr: expect.stringContaining('No session was started: --ttl') });
    expect(long.stderr).not.toContain('negotiate show');
    expect(long.stderr).toContain('proffer negotiate start --help');
    expect(eve.stderr).not.toContain('negotiate show');
  });

  it('N-13: shows who accepts an offer, and that making it counts if the policy says so', async () => {
    const rules = '{"acceptance":{"criterion":"counterparty"}}';
    expect((await run('policy', 'register', 'policy.other', '--rules', rules)).code).toBe(0);
    await using lenient = await openSession(gateway, { policyVersion: 'policy.other' });
    await using strict = await openSession(gateway);
    for (const session of [lenient, strict]) await session.propose('p1', 'Ten');
    await strict.accept('p1', { reason: 'mine' });
    await lenient.accept('p1', { reason: 'fine', sender: 'seller' });
    const [counted, accepted] = await Promise.all([
      run('show', lenient.sessionId),
      run('show', strict.sessionId),
    ]);
    expect(counted.stdout).toContain('✓ buyer made it, which counts as accepting it\n');
    expect(counted.stdout).toContain('✓ seller accepts it  fine\n');
    expect(accepted.stdout).toContain('✓ buyer accepts it, their own offer  mine\n');
  });

  it('list shows open sessions, and with --all closed ones too', async () => {
    await using session = await openSession(gateway);
    await using over = await openSession(gateway);
    await over.cancel();
    const { stdout } = await run('list');
    expect(stdout).toMatch(/^SESSION +MODE +STATE +INITIATOR/);
    expect(stdout).toMatch(new RegExp(`${session.sessionId} +proposal +OPEN +buyer .* left`));
    expect(stdout).not.toContain(over.sessionId);
    const { sessions } = await ask<{ sessions: object[] }>('list', '--all');
    expect(sessions).toContainEqual(
      expect.objectContaining({ session_id: over.sessionId, state: 'CANCELLED' }),
    );
  });

  it('keeps text from the parties from moving the cursor, reordering the line or imitating our output', async () => {
    const text = 'a\u001b[2Jb\u202ec\r\n✓ Recorded.';
    await using session = await openSession(gateway);
    await session.propose('p1', text, { summary: text });
    await session.accept('p1', { reason: text });
    await session.cancel({ reason: text });
    const commands = ['show', 'watch', 'replay'];
    for (const { code, stdout } of await Promise.all(commands.map((name) => run(name, session.sessionId)))) {
      expect(code).toBe(0);
      expect(stdout).toContain('p1');
      expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|^✓ Recorded/mu);
    }
  });
});
