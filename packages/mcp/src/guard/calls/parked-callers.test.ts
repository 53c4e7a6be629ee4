import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { askedCall, OwnCall } from '@proffer/client/own-calls';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../testing/test-clock.js';
import { ParkedCallers } from './absent-callers.js';
import type { GatedCall } from './propose-call.js';

function parkedCall(parked: ParkedCallers): GatedCall {
  const facts = { id: 'p', key: 'k', tool: 't', arguments: {}, createdAt: 0 };
  const call = new OwnCall(askedCall(facts, 0), { clock: createTestClock(), window: 1 });
  parked.add(call, { run: () => Promise.reject(new Error(`${call.facts.id} is not run`)) });
  return call;
}

describe('parked callers', () => {
  it('stay until the connection ends', () => {
    const parked = new ParkedCallers();
    const call = parkedCall(parked);
    expect(call.isUnattended).toBe(false);
    parked.close();
    expect(call.isUnattended).toBe(true);
  });

  it('I-7: keep no finished and forgotten call in memory', async () => {
    const parked = new ParkedCallers();
    const end = (): WeakRef<GatedCall> => {
      const call = parkedCall(parked);
      call.tell({ type: 'expire' });
      return new WeakRef(call);
    };
    const reference = end();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Weak references are kept until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(reference.deref()).toBeUndefined();
    parked.close();
  });
});
