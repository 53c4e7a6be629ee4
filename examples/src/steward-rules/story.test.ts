import { expect, it } from 'vitest';
import { stewardRules } from './story.js';

it("rules allow, deny and ask, and a new rule is learned from people's decisions", async () => {
  const lines: string[] = [];
  await stewardRules.tell((line) => lines.push(line));
  const told = lines.join('\n');
  expect(told).toMatch(/steward +fulfilled +→ draft/);
  expect(told).toMatch(/steward +rejected +→ trick: Nobody writes there/);
  expect(told).toMatch(/steward +left +→ may/);
  expect(told).toContain('path: /reports/**');
  expect(told).toMatch(/steward +fulfilled +→ august/);
});
