import { scopeOf } from '@proffer/core/agreement';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startOnLoopback } from '../loopback.js';
import { agreeOn, payCall } from '../testing/across/agreements.js';
import { temporaryFolder } from '../testing/folder.js';
import { openTable } from '../testing/macp.js';
import { until } from '../testing/metrics.js';

it('O-53: a commitment about a space that is not served is logged once, and counted after a restart', async () => {
  await using folder = await temporaryFolder();
  const logged: { readonly msg: string; readonly negotiation?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const start = () => startOnLoopback('dev: true', { folder: folder.path, log });
  const said = () => logged.filter(({ msg }) => msg.includes('about a call') || msg.includes('about calls'));
  const ids: string[] = [];
  {
    await using gateway = await start();
    for (const amount of [1, 2]) {
      const table = openTable(`http://127.0.0.1:${gateway.port}`);
      ids.push(table.id);
      const call = payCall('nowhere', amount);
      await agreeOn(call, [table]);
      await table.commit('sales', { authority_scope: scopeOf(call) });
      await until(() => Promise.resolve(said().length === amount));
    }
    expect(said().map(({ negotiation }) => negotiation)).toEqual(ids);
  }
  await using again = await start();
  expect(again.port).toBeGreaterThan(0);
  await until(() => Promise.resolve(said().length > ids.length));
  expect(said().slice(ids.length)).toMatchObject([
    { count: 2, msg: 'committed sessions of the past about calls have no effect' },
  ]);
});
