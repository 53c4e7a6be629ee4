import { describe, expect, it } from 'vitest';
import { proposalLifecycle } from './proposal-lifecycle/story.js';

function linesOf(story: typeof proposalLifecycle): string {
  const lines: string[] = [];
  story.tell((line) => lines.push(line));
  return lines.join('\n');
}

describe('stories of npm start', () => {
  it('an operation is refused, proposed, amended, fulfilled once, expired', () => {
    const told = linesOf(proposalLifecycle);
    expect(told).toMatch(/reviewer +fulfils p1 +→ fulfilled/);
    expect(told).toMatch(/reviewer +fulfils p1 +✗ proposal_not_pending/);
    expect(told).toMatch(/a minute +passes +→ expired/);
    expect(told).toContain('p1 was fulfilled by reviewer and ended ok.');
  });
});
