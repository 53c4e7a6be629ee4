import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startOnLoopback } from '../loopback.js';
import { createBreakableDisk } from '../testing/breakable-disk.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { chat } from '../testing/messages.js';
import { readMetric, until } from '../testing/metrics.js';
import { ask, post } from '../testing/peers/http.js';

it.each(['ENOSPC', 'EIO', 'EMFILE'] as const)(
  'I-1: reports an unwritable journal in /readyz, counts each failure, and logs it once: %s',
  async (code) => {
    await using folder = await temporaryFolder();
    const disk = createBreakableDisk();
    const journal = await openJournal(folder.path, { disk });
    const logged: { readonly level: number; readonly msg: string; readonly refusal?: unknown }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
    await using gateway = await startOnLoopback('dev: true', { journal, log });
    const http = `http://127.0.0.1:${gateway.port}`;
    const failures = () => readMetric(http, 'proffer_journal_write_failures_total', `{cause="${code}"}`);
    expect(await ask(`${http}/readyz`, undefined)).toMatchObject({ status: 200, body: { ready: true } });
    expect(await readMetric(http, 'proffer_journal_writable')).toBe(1);

    disk.fault = { code, share: 0.5 };
    for (const id of ['c1', 'c2', 'c3']) {
      expect(await post(http, 'agent', chat(id))).toMatchObject({ status: 503, code: 'unavailable' });
    }
    expect(await ask(`${http}/readyz`, undefined)).toMatchObject({
      status: 503,
      body: { ready: false, reason: `The journal cannot be written to (${code}).` },
    });
    expect(await failures()).toBe(3);
    expect(await readMetric(http, 'proffer_journal_writable')).toBe(0);
    const said = logged.filter(({ msg }) => msg.includes('journal'));
    expect(said).toMatchObject([{ level: 50, refusal: { code: 'unavailable', details: { cause: code } } }]);

    disk.fault = undefined;
    await until(async () => (await ask(`${http}/readyz`, undefined)).status === 200);
    expect(await readMetric(http, 'proffer_journal_writable')).toBe(1);
    expect(logged.at(-1)).toMatchObject({ level: 40, msg: 'the journal can be written to again' });
    expect(await post(http, 'agent', chat('c1'))).toMatchObject({ status: 200 });
  },
);
