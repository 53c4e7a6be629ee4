import { expect, it } from 'vitest';
import { targetingFlows } from './story.js';

it('O-18, O-20: runs the three targeting flows as described', async () => {
  const lines: string[] = [];
  await targetingFlows.tell((line) => lines.push(line));
  const told = lines.join('\n');
  expect(told).toMatch(/agent-1 +fulfils spring/);
  expect(told).toMatch(/agent-2 +fulfils autumn/);
  expect(told).toMatch(/agent-1 +rejects summer +→ busy/);
  expect(told).toMatch(/agent-2 +fulfils accounts +✗ reserved/);
  expect(told).toMatch(/agent-2 +fulfils accounts +→ anybody may now/);
});
