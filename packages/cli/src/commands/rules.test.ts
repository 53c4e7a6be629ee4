import { readFile } from 'node:fs/promises';
import { connect } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';
import { echo, NOBODY, RULES, withRules } from '../testing/rule-file.js';

describe('proffer rules', () => {
  it('add appends rules to a file, keeps its comments, and changes nothing if anything is wrong', async () => {
    await using rules = await withRules(`# Ours.\n${RULES}`);
    await using more = await withRules('rules: [{ name: adds, action: allow, match: { tool: add } }]');
    const added = await runHere(['rules', 'add', rules.file, more.file]);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Added 1 rule to .*: 3 rules, then ask; version 1@/),
    });
    const text = await readFile(rules.file, 'utf8');
    expect(text).toMatch(/^# Ours\.[^]*greetings[^]*no notes[^]*- name: adds\n\s+action: allow\n/);
    // The second time, the name is taken; a default would change the meaning of other rules.
    const again = await runHere(['rules', 'add', rules.file, more.file]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('has the same name') });
    await using all = await withRules('default: allow');
    expect(await runHere(['rules', 'add', rules.file, all.file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"default" or "servers"'),
    });
    expect(await readFile(rules.file, 'utf8')).toBe(text);
    const made = `${rules.file}.new`;
    expect(await runHere(['rules', 'add', made, more.file])).toMatchObject({ code: 0 });
    expect(await readFile(made, 'utf8')).toMatch(/^default: ask\nrules:\n\s+- name: adds/);
  });

  it('check reports success, or everything that is wrong, with its position', async () => {
    await using right = await withRules(RULES);
    const checked = await runHere(['rules', 'check', right.file]);
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/2 rules, then ask; version 1@/),
    });
    await using wrong = await withRules('rules:\n  - action: alow\n    mach: { tool: a }\n');
    const { code, stderr, stdout } = await runHere(['rules', 'check', wrong.file, '--json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/rules\.yaml:2:13: rules\[0\]\.action: .* Did you mean allow\?/);
    expect(stderr).toMatch(/rules\.yaml:3:5: rules\[0\]\.mach: .* Did you mean match\?/);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'invalid_rules', details: { problems: {} } } });
    // A steward, guard or hook that runs goes on with what it has.
    expect(JSON.parse(stdout).error.message).toContain('processes that loaded it before keep their rules');
  });

  it('explain says which condition failed, with the actual and the expected value', async () => {
    await using rules = await withRules(RULES);
    const explain = (...args: readonly string[]) => runHere(['rules', 'explain', rules.file, ...args]);
    const { code, stdout } = await explain('--tool', 'echo', '--args', '{"text":"bye"}');
    expect(code).toBe(0);
    expect(stdout).toContain('no: arguments.text is "bye"; expected "hello*"');
    expect(stdout).toContain('no rule matches, so the default applies');
    const allowed = await explain('--tool', 'echo', '--args', '{"text":"hello you"}', '--json');
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      decision: { action: 'allow', rule: { name: 'greetings', line: 4 } },
    });
    expect(await explain()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--tool, --resource, --prompt, --proposal'),
    });
  });

  it('explain takes the name of a tool, also without a gateway', async () => {
    await using rules = await withRules(RULES);
    const explain = (word: string) =>
      runHere(['rules', 'explain', rules.file, word, '--args', '{"text":"hello you"}', '--url', NOBODY]);
    const { code, stdout, stderr } = await explain('echo');
    expect(stdout).toContain('Rule "greetings" (line 4) says allow.');
    expect(stderr).toContain('echo is treated as a tool; use --proposal for a proposal.');
    expect(code).toBe(0);
    expect((await explain('p-s2kd9')).code).toBe(3);
  });

  it('explain takes a call as JSON, and says why the deciding rule matches', async () => {
    await using rules = await withRules(`
rules:
  - { name: large, action: deny, match: { arguments: { amount: { gt: 1000 } } } }
  - { name: small, action: allow, rate: 2 per hour, match: { client: claude-*, arguments: { amount: { lte: 100 } } } }
  - { name: docs, action: allow, match: { resource: "docs://**" } }
  - { name: shop, action: deny, match: { server: shop, tool: order } }`);
    const explain = (...args: readonly string[]) => runHere(['rules', 'explain', rules.file, ...args]);
    const small = await explain('{"name":"order","arguments":{"amount":50},"client":"claude-code"}');
    expect(small.stdout).toContain('no: arguments.amount is 50; expected a number more than 1000');
    expect(small.stdout).toContain('yes: client is "claude-code"; expected claude-*');
    expect(small.stdout).toContain('yes: rate is not counted here; expected 2 per hour');
    const inShop = await explain('{"name":"shop/order"}');
    expect(inShop.stdout).toContain('Rule "shop" (line 6) says deny.');
    const request = { method: 'resources/read', params: { uri: 'docs://a' } };
    for (const call of [[JSON.stringify(request)], ['--resource', 'docs://a']]) {
      expect((await explain(...call)).stdout).toContain('Rule "docs" (line 5) says allow.');
    }
    for (const call of [['{"amount":50}'], ['{"name":"a"}', '--tool', 'b']]) {
      expect((await explain(...call)).code).toBe(2);
    }
  });

  it('test and suggest learn from past decisions, from a gateway and from a journal', async () => {
    await using gateway = await startDevGateway();
    await using rules = await withRules(RULES);
    await using agent = await connect({ url: gateway.url, space: 'main', token: 'agent' });
    await using reviewer = await connect({ url: gateway.url, space: 'main', token: 'reviewer' });
    for (const id of ['a', 'b', 'c']) {
      const result = agent.propose('tools/call', echo('hello'), { id });
      await result.accepted;
      await reviewer.fulfil({ id, method: 'tools/call', params: echo('hello') });
      await result;
    }
    const last = agent.propose('tools/call', echo('hello there'), { id: 'd' });
    last.catch(() => undefined);
    await last.accepted;
    await reviewer.reject('d', 'unsafe');
    const [different, suggested, past] = await Promise.all([
      gateway.run('rules', 'test', rules.file, '--against', 'history'),
      gateway.run('rules', 'suggest'),
      gateway.run('rules', 'explain', rules.file, '--proposal', 'd', '--json'),
    ]);
    expect(different.code).toBe(1);
    expect(different.stdout).toMatch(/3 {2}decided the same/);
    expect(different.stdout).toMatch(/1 {2}decided differently/);
    expect(different.stdout).toMatch(/d .* denied by reviewer +allow \(line 4\)/);

    expect(suggested.code).toBe(0);
    expect(suggested.stdout).toMatch(/# allowed 3 times:\n +# +a .* allowed by reviewer/);
    await using written = await withRules(suggested.stdout);
    const offline = await runHere(['rules', 'test', written.file, '--journal', gateway.data, '--json']);
    const counts = { same: 3, different: 0, newly_automatic: 0, asked: 1 };
    expect(JSON.parse(offline.stdout)).toMatchObject({ counts, different: [] });
    expect(offline.code).toBe(0);
    expect(JSON.parse(past.stdout)).toMatchObject({ decision: { action: 'allow' } });
  });
});
