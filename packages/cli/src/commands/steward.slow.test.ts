import { rename, writeFile } from 'node:fs/promises';
import { connect } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { proffer, start } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { echo, NOBODY, RULES, withRules } from '../testing/rule-file.js';

describe('proffer steward', () => {
  it('decides, shows why in the history, and reloads a changed file but not a broken one', async () => {
    await using gateway = await startDevGateway();
    await using rules = await withRules(RULES);
    const { file } = rules;
    const steward = start(['steward', '--rules', file, '--gateway', gateway.url]);
    await steward.until(/steward decides in main by 2 rules/);
    await using agent = await connect({ url: gateway.url, space: 'main', token: 'agent' });
    await agent.propose('tools/call', echo('hello'), { id: 'first' });
    const note = { name: 'write_note', arguments: { name: 'x', text: 'x' } };
    await expect(agent.propose('tools/call', note, { id: 'note', to: 'steward' })).rejects.toMatchObject({
      rejections: [{ reason: 'policy', message: expect.stringContaining('Notes are for people.') }],
    });

    await writeFile(file, 'rulez: []\n');
    await steward.until(/IS INVALID and was not loaded. Version 1@\w+ stays in force/);
    await agent.propose('tools/call', echo('hello again'), { id: 'second' });
    const next = `${file}.next`;
    await writeFile(next, RULES.replace('"hello*"', '"bye*"'));
    await rename(next, file);
    await steward.until(/changed. Version \S+ is now in force/);
    await agent.propose('tools/call', echo('bye'), { id: 'third' });
    const { stdout } = await gateway.run('show', 'third');
    expect(stdout).toMatch(
      /started to work on this call +“Rule "greetings" \(line 4\) says allow\. \[.*; rules 1@/,
    );
    steward.child.kill('SIGTERM');
    expect(await steward.ended).toMatchObject({ code: 0 });
  });

  it('reports at once that the participant may not decide, and what to do', async () => {
    await using gateway = await startDevGateway();
    await using rules = await withRules(RULES);
    const line = ['steward', '--rules', rules.file, '--url', gateway.url, '--as', 'agent'];
    const { code, stderr } = await proffer(line);
    expect(code).toBe(1);
    expect(stderr).toContain('agent may not decide in main: it lacks mcpx.reject.proposal.');
    expect(stderr).toContain('in dev mode, as "steward"');
  });

  it('reports at once that there is no gateway, like other commands', async () => {
    await using rules = await withRules(RULES);
    const { code, stderr } = await proffer(['steward', '--rules', rules.file, '--url', NOBODY]);
    expect(code).toBe(3);
    expect(stderr).toContain(`No gateway answers at ${NOBODY}`);
    expect(stderr).not.toContain('--token');
  });

  it('does not start with invalid rules', async () => {
    await using rules = await withRules('default: maybe');
    expect(await proffer(['steward', '--rules', rules.file])).toMatchObject({ code: 2 });
  });
});
