import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { OUTCOME_KEY } from '../answers.js';

const append = (line: string) => ({ name: 'append', arguments: { line } });
const params = (line: string) => ({ name: 'notes/append', arguments: { line } });
const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');

/** The arguments of the tool that an answer names. */
function named(text: string, tool: string): Record<string, unknown> {
  const [, json = '{}'] = new RegExp(`${tool} with (\\{[^}]*\\})`).exec(text) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

describe('counter-offer', () => {
  it('O-40: is a result with the change and how to accept it; accepted, exactly that runs once', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const { tools } = await guarded.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('proffer_accept');
    const asked = guarded.client.callTool(append('rm -rf /'));
    const { id } = await next();
    await reviewer.counter(id, params('ls'), { reason: 'only look' });
    const answer = await asked;
    const text = textOf(answer);
    expect(text).toContain(
      '"append" has not run. reviewer offers to run it with different arguments instead: only look',
    );
    expect(text).toContain('line: "rm -rf /" → "ls"');
    expect((answer['_meta'] as Record<string, unknown>)[OUTCOME_KEY]).toMatchObject({
      code: 'countered',
      proposal: id,
    });
    expect(await written(space)).toBe('');

    const wrong = { name: 'proffer_accept', arguments: { proposal: id, counter: 'other' } };
    expect(textOf(await guarded.client.callTool(wrong))).toContain('Nothing was run: Counter-offer');
    const accept = { name: 'proffer_accept', arguments: named(text, 'proffer_accept') };
    const result = await guarded.client.callTool(accept);
    expect(result.content).toMatchObject([{}, { text: 'appended ls' }]);
    expect(await written(space)).toBe('ls\n');
    const unknown = { name: 'proffer_accept', arguments: { proposal: 'nothing', counter: 'x' } };
    expect(textOf(await guarded.client.callTool(unknown))).toContain('No call is waiting');
  });

  it('O-40: leaves a caller that does not accept waiting for a decision', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    await using guarded = await guardInProcess(space);
    const asked = guarded.client.callTool(append('one'));
    const proposal = await next();
    await reviewer.counter(proposal.id, params('two'), { reason: 'rather' });
    const wait = { name: 'proffer_wait', arguments: named(textOf(await asked), 'proffer_wait') };
    const waiting = guarded.client.callTool(wait);
    await proposal.fulfil();
    expect(textOf(await waiting)).toBe('appended one');
    expect(await written(space)).toBe('one\n');
  });
});
