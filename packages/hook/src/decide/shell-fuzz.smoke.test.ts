import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShellLine } from '../shell/index.js';
import { escapesIn, fuzzLines, isAllowed } from '../testing/shell-fuzz/fuzz-lines.js';
import { createShellBox, PLACE, type ShellBox } from '../testing/shell-fuzz/shell-box.js';

/** Some with every test run; `npm run fuzz -- --shell` has a million. */
const LINES = 600;

let box: ShellBox;
beforeAll(() => {
  box = createShellBox();
});
afterAll(() => box.close());

describe('what rules allow', () => {
  it('is all that shells run and write, whatever bash can say', () => {
    const seeds = Array.from({ length: LINES }, (_, index) => index + 1);
    const { escapes, allowed, programs } = fuzzLines(seeds, box);
    expect(escapes).toEqual([]);
    // A sanity check: enough happened.
    expect(allowed).toBeGreaterThan(LINES / 20);
    expect(programs).toBeGreaterThan(allowed / 2);
  });

  it('would be noticed to be more', () => {
    const lines = [
      'ls; zap',
      'ls $(zap)',
      "x='a[$(zap)]'; ls $((x))",
      'ls ${X@P}',
      'ls > 7',
      'ls &> o',
      'echo "" | while read y; do zap; done',
      'ls() { zap; }; ls',
    ];
    const [bash] = box.shells;
    expect(bash).toBe('bash');
    const seen = box
      .run(lines)
      .map(([run]) => run && escapesIn(run, readShellLine('ls', { home: '/', folder: PLACE }).commands));
    expect(seen.map((escapes) => (escapes ?? []).length > 0)).toEqual(lines.map(() => true));
    expect(lines.filter(isAllowed)).toEqual(['ls > 7']);
  });
});
