import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRulesNews, followRules, type RulesNews, rulesDecider } from '../index.js';
import { callOf, rulesOf } from '../testing/rules.js';

const ALLOWED = `
rules:
  - { name: some, action: allow, match: { tool: read_file }, rate: 1 per day }`;

describe('rules that follow their file', () => {
  it('decide by the file, or by its last valid version while it is invalid', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-rules-'));
    const file = join(folder, 'rules.yaml');
    await writeFile(file, 'default: deny');
    const received: RulesNews[] = [];
    let check: () => void = () => {};
    const next = async (count: number) => {
      await new Promise<void>((resolve) => {
        check = () => received.length >= count && resolve();
        check();
      });
      return received[count - 1];
    };
    // The file already differs from what was read before.
    const live = followRules(rulesOf('default: ask', file), (news) => {
      received.push(news);
      check();
    });
    const decide = rulesDecider(live);
    try {
      expect(decide(callOf()).action).toBe('ask');
      expect(await next(1)).toMatchObject({ type: 'changed' });
      expect(decide(callOf()).action).toBe('deny');
      await writeFile(file, 'rules: [{ action: deny, match: { arguments: { a: { regex: x } } } }]');
      const invalid = await next(2);
      expect(invalid).toMatchObject({ type: 'invalid', refusal: { code: 'invalid_rules' } });
      const told = invalid === undefined ? '' : describeRulesNews(invalid).join('\n');
      expect(told).toMatch(
        /rules\.yaml IS INVALID and was not loaded. Version \w+ stays in force:\n.*Did you mean matches/,
      );
      expect(decide(callOf()).action).toBe('deny');
      await writeFile(file, 'default: deny # as before');
      expect(await next(3)).toMatchObject({ type: 'valid_again' });
      await writeFile(file, ALLOWED);
      await next(4);
      expect([decide(callOf()).action, decide(callOf()).action]).toEqual(['allow', 'ask']);
    } finally {
      live.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
