import { describe, expect, it } from 'vitest';
import { connect, disconnect, Killed, NOW, steps, survey } from '../testing/connecting.js';
import { createHome, pick } from '../testing/ten-programs.js';

describe('a process that is killed', () => {
  const chosen = pick('.codex/config.toml', '.copilot/mcp-config.json');
  /** Whether it was killed. */
  const isKilled = (act: () => void): boolean => {
    try {
      act();
      return false;
    } catch (error) {
      if (error instanceof Killed) return true;
      throw error;
    }
  };

  it('while it connects, leaves what disconnecting undoes, at every step', () => {
    for (let step = 0, going = true; going; step++) {
      using home = createHome(chosen);
      const before = home.snapshot();
      going = isKilled(() => connect(home, undefined, steps(step)));
      disconnect(home);
      expect([step, home.snapshot()]).toEqual([step, before]);
    }
  });

  it('while it connects, leaves what connecting again completes, at every step', () => {
    using whole = createHome(chosen);
    connect(whole);
    for (let step = 0, going = true; going; step++) {
      using home = createHome(chosen);
      const before = home.snapshot();
      going = isKilled(() => connect(home, undefined, steps(step)));
      connect(home);
      expect([step, home.snapshot()]).toEqual([step, whole.snapshot()]);
      disconnect(home);
      expect([step, home.snapshot()]).toEqual([step, before]);
    }
  });

  it('while it disconnects, leaves what disconnecting again completes, at every step', () => {
    for (let step = 0, going = true; going; step++) {
      using home = createHome(chosen);
      const before = home.snapshot();
      connect(home);
      going = isKilled(() => disconnect(home, steps(step)));
      disconnect(home);
      expect([step, home.snapshot()]).toEqual([step, before]);
    }
  });

  it('tells since when each item is covered', () => {
    using home = createHome(chosen);
    connect(home);
    const since = survey(home).flatMap(({ coverage }) =>
      coverage.type === 'covered' ? [coverage.since] : [],
    );
    expect(new Set(since)).toEqual(new Set([NOW]));
  });
});
