import { type Envelope, PROTOCOL } from '@proffer/core';
import { decideByRules, parseRules } from '@proffer/steward';
import {
  entryOfMessage,
  formatSuggestions,
  type HistoryEntry,
  pastProposals,
  suggestRules,
} from '@proffer/steward/history';
import { expect, it } from 'vitest';
import { proposalsFor, textOf } from './testing/deciding.js';
import { guardInProcess } from './testing/in-process.js';
import { startSpace } from './testing/space.js';

it("rules suggested from people's decisions about a guard allow the same call in the guard", async () => {
  await using space = await startSpace();
  await using reviewer = await space.join('reviewer');
  const entries: HistoryEntry[] = [];
  reviewer.on('message', (message) => {
    const entry = entryOfMessage(message);
    if (entry !== undefined) entries.push(entry);
  });
  const next = proposalsFor(reviewer);
  const call = { name: 'append', arguments: { line: 'one' } };
  {
    await using asking = await guardInProcess(space);
    for (let time = 0; time < 3; time++) {
      const approved = asking.client.callTool(call);
      const proposal = await next();
      // A participant's own messages are not echoed.
      const params = { name: 'notes/append', arguments: call.arguments };
      const payload = { method: 'tools/call', params };
      const facts = { proposal: proposal.id, executor: 'notes' };
      await proposal.fulfil();
      await approved;
      const envelope: Envelope = {
        protocol: PROTOCOL,
        id: `f-${proposal.id}`,
        ts: new Date().toISOString(),
        from: 'reviewer',
        kind: 'mcp.request.tools/call:notes/append',
        payload,
      };
      entries.push({ type: 'fulfilled', time: Date.now(), principal: 'reviewer', envelope, facts });
    }
  }
  const parsed = parseRules(formatSuggestions(suggestRules(pastProposals(entries))));
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  expect(parsed.value.rules).toHaveLength(1);
  await using knowing = await guardInProcess(space, {
    decide: (facts) => decideByRules(parsed.value, facts),
  });
  expect(textOf(await knowing.client.callTool(call))).toBe('appended one');
});
