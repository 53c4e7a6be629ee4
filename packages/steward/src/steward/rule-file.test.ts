import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Refusal } from '@proffer/core';
import { describe, expect, it } from 'vitest';
import { type RuleSet, readRuleFile, watchRuleFile } from '../index.js';

describe('a watched rule file', () => {
  it('reports new rules, also when the file is replaced, and errors in invalid ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-rules-'));
    const file = join(folder, 'rules.yaml');
    await writeFile(file, 'default: ask');
    const first = await readRuleFile(file);
    if (!first.ok) throw new Error(first.refusal.message);
    const received: (RuleSet | Refusal)[] = [];
    let hear: () => void = () => {};
    const next = (count: number) =>
      new Promise<void>((resolve) => {
        hear = () => received.length >= count && resolve();
        hear();
      });
    const tell = (said: RuleSet | Refusal): void => {
      received.push(said);
      hear();
    };
    const watched = watchRuleFile(file, {
      version: first.value.version,
      onRules: tell,
      onProblem: tell,
      interval: 20,
    });
    try {
      await writeFile(join(folder, 'next.yaml'), 'default: deny');
      await rename(join(folder, 'next.yaml'), file);
      await next(1);
      expect(received[0]).toMatchObject({ otherwise: { action: 'deny' } });
      await writeFile(file, 'defalt: allow # broken');
      await next(2);
      expect(received[1]).toMatchObject({
        code: 'invalid_rules',
        message: expect.stringContaining(':1:1: defalt'),
      });
      await rm(file);
      await next(3);
      expect(received[2]).toMatchObject({
        code: 'unreadable_rules',
        message: expect.stringMatching(/does not exist\. Check its path/),
      });
    } finally {
      watched.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is not reported again while its content is the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-rules-'));
    const file = join(folder, 'rules.yaml');
    await writeFile(file, 'default: ask');
    const first = await readRuleFile(file);
    const received: unknown[] = [];
    const tell = (said: unknown) => received.push(said);
    const version = first.ok ? first.value.version : '';
    const watched = watchRuleFile(file, { version, onRules: tell, onProblem: tell });
    await writeFile(file, '# only a comment\ndefault: ask');
    await watched.reload();
    watched.close();
    expect(received).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });
});
