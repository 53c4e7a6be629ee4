import { describe, expect, it } from 'vitest';
import type { HookCall } from '../agents/index.js';
import { shellCall } from '../testing/calls.js';
import type { AskOutcome } from './ask-people.js';
import { SettledCalls } from './settled-calls.js';

/** A shell call with the given arguments. */
const call = (given: Readonly<Record<string, string>>, more: Partial<HookCall> = {}): HookCall =>
  shellCall(given['command'] ?? '', { arguments: given, session: 's', ...more });
const approved = (given: HookCall): AskOutcome => ({
  type: 'approved',
  by: 'reviewer',
  arguments: given.arguments,
});

/** Whether the answer to a first question counts for a second one. */
function counts(first: HookCall, second: HookCall, outcome: AskOutcome = approved(first)): boolean {
  const settled = new SettledCalls();
  settled.put(first, outcome, 0);
  return settled.take(second, 1) !== undefined;
}

describe('an answer about a call', () => {
  it('counts for the same line in the same folder, wherever either question states the folder', () => {
    const first = call({ command: 'make clean', description: 'Start afresh' });
    expect(counts(first, call({ command: 'make clean' }))).toBe(true);
    const there = call({ command: 'make clean', cwd: 'lib' });
    expect(counts(there, call({ command: 'make clean' }, { folder: '/home/ada/app/lib' }))).toBe(true);
    expect(counts(there, call({ command: 'make clean', workdir: '/home/ada/app/lib' }))).toBe(true);
  });

  it('does not count for another folder, line, session or agent', () => {
    const first = call({ command: 'make clean' });
    expect(counts(first, call({ command: 'make clean', workdir: '/' }))).toBe(false);
    expect(counts(first, call({ command: 'make clean', cwd: '..' }))).toBe(false);
    expect(counts(first, call({ command: 'make clean' }, { folder: '/home/ada/other' }))).toBe(false);
    expect(counts(first, call({ command: 'make' }))).toBe(false);
    expect(counts(first, call({ command: 'make clean' }, { session: 't' }))).toBe(false);
    expect(counts(first, call({ command: 'make clean' }, { agent: 'codex' }))).toBe(false);
  });

  it('counts for the changed call, even if that changes the folder', () => {
    const first = call({ command: 'make clean' });
    const elsewhere = call({ command: 'make clean', workdir: '/tmp' });
    expect(counts(first, elsewhere, approved(elsewhere))).toBe(true);
    expect(counts(first, first, approved(elsewhere))).toBe(false);
  });

  it('counts once, and for two minutes', () => {
    const settled = new SettledCalls();
    const first = call({ command: 'ls' });
    settled.put(first, approved(first), 0);
    expect(settled.take(first, 1)).toBeDefined();
    expect(settled.take(first, 1)).toBeUndefined();
    settled.put(first, approved(first), 0);
    expect(settled.take(first, 120_001)).toBeUndefined();
  });
});
