import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decideByRules, parseRules } from '@proffer/steward';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace, type TestSpace } from '../../testing/space.js';

const append = (line: string) => ({ name: 'append', arguments: { line } });
const APPEND = 'mcp.request.tools/call:notes/append';
const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');

describe('grants to a guard', () => {
  it("O-41: let a client's session run calls without approval; other clients, and a revoked grant, ask again", async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const other = await guarded.connect();
    const first = guarded.client.callTool(append('one'));
    const proposal = await next();
    const { session = '' } = proposal.origin ?? {};
    const granted = await reviewer.grant('notes', [APPEND], { session });
    await proposal.fulfil();
    await first;
    expect(textOf(await guarded.client.callTool(append('two')))).toBe('appended two');

    const elsewhere = other.callTool(append('three'));
    const asked = await next();
    expect(asked.params).toMatchObject({ arguments: { line: 'three' } });
    expect(asked.origin?.session).not.toBe(session);
    await asked.reject('unsafe');
    await elsewhere;
    await reviewer.revoke(granted.id);
    const again = guarded.client.callTool(append('four'));
    expect((await next()).params).toMatchObject({ arguments: { line: 'four' } });
    expect(await written(space)).toBe('one\ntwo\n');
    await guarded.client.close();
    await again.catch(() => {});
  });

  it('O-41: are limited to a number of uses by any client; the rest is asked, and a denying rule wins', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const rules = parseRules(
      'default: ask\nrules: [{ action: deny, match: { arguments: { line: "no*" } } }]',
      'rules.yaml',
    );
    if (!rules.ok) throw new Error(rules.refusal.message);
    await using guarded = await guardInProcess(space, {
      decide: (call) => decideByRules(rules.value, call),
    });
    const other = await guarded.connect();
    await reviewer.grant('notes', [APPEND], { uses: 3 });
    const denied = await guarded.client.callTool(append('no'));
    expect(textOf(denied)).toContain('Denied: "append" was not run.');
    const calls = Array.from({ length: 5 }, (_, index) =>
      (index % 2 === 0 ? guarded.client : other).callTool(append(`${index}`)),
    );
    for (let asked = 0; asked < 2; asked++) await (await next()).reject('unsafe');
    const said = (await Promise.all(calls)).map(textOf);
    expect(said.filter((text) => text.startsWith('appended'))).toHaveLength(3);
    expect((await written(space)).split('\n')).toHaveLength(4);
  });
});
