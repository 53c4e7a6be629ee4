import { connect, OperationFailedError } from '@proffer/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAUDE_CODE } from '../agents/claude-code.js';
import { groundsOf } from '../testing/calls.js';
import { type HookSpace, startHookSpace } from '../testing/hook-space.js';
import { createAnswerEvent } from './answer-event.js';
import { createAskPeople } from './ask-people.js';
import { UnreportedCalls } from './unreported-calls.js';

let space: HookSpace;
beforeAll(async () => {
  space = await startHookSpace('default: ask');
});
afterAll(() => space[Symbol.asyncDispose]());

describe('an undelivered approval', () => {
  it('O-46: runs nothing, and is reported to the approver and in the record', async () => {
    await using participant = await connect({ url: space.url, space: 'main', token: 'claude-code-2' });
    const people = createAskPeople({ participant, unreported: new UnreportedCalls() });
    const answer = createAnswerEvent({
      withServer: (call) => call,
      isGuarded: () => false,
      grounds: () => groundsOf('default: ask'),
      ask: (call, about) => people.ask(call, about),
      report: () => {},
      isWatching: () => false,
      observe: () => {},
      note: () => {},
    });
    const event = Buffer.from(JSON.stringify(CLAUDE_CODE.sample('/home/ada/app', 'never told')));
    const answering = answer(event, {
      agent: 'claude-code',
      event: 'PreToolUse',
      wait: 20_000,
      otherwise: 'ask',
      signal: new AbortController().signal,
    });
    const proposal = await space.proposalFor('never told');
    const approving = proposal.fulfil();
    const { delivered } = await answering;
    // The connection broke before the answer got through.
    delivered(false);
    await expect(approving).rejects.toThrow(OperationFailedError);
    await expect(approving).rejects.toThrow('Nothing was run. Claude Code is no longer waiting for this.');
    const record = await fetch(`${space.url}/spaces/main/proposals/${proposal.id}`, {
      headers: { authorization: 'Bearer reviewer' },
    });
    expect(await record.json()).toMatchObject({ proposal: { outcome: { result: 'error', notRun: true } } });
  });
});
