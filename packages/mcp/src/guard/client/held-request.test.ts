import type { JsonObject } from '@proffer/core/json';
import { expect, it } from 'vitest';
import { paramsOf } from '../../json-rpc.js';
import { createProgressReporter } from './held-request.js';

it("passes the server's progress on unchanged, after the guard's own progress while waiting", () => {
  const told: JsonObject[] = [];
  const teller = createProgressReporter('t', (message) => told.push(paramsOf(message)));
  teller.say('Waiting.');
  teller.say('Still waiting.');
  for (const progress of [0, 50, 50, 100]) teller.relay({ progressToken: 'own', progress, total: 100 });
  const values = told.map(({ progress }) => Number(progress));
  expect(values).toEqual([...values].sort((one, other) => one - other));
  expect(new Set(values).size).toBe(values.length);
  expect(told.slice(2)).toEqual([
    { progressToken: 't', progress: expect.closeTo(0, 3), total: 100 },
    { progressToken: 't', progress: 50, total: 100 },
    { progressToken: 't', progress: 100, total: 100 },
  ]);
});
