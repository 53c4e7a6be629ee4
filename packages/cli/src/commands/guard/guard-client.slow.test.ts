import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import type { Participant } from '@proffer/client';
import { describe, expect, it } from 'vitest';
import { approveUntilDone, machine, next } from '../../testing/guard-machine.js';
import { startOfficial } from '../../testing/official-client.js';

const long = process.env['PROFFER_LONG'] !== undefined;

/** A file with one more letter for each write. */
function counted(folder: string, name: string) {
  const path = join(folder, name);
  writeFileSync(path, 'x');
  return {
    path,
    times: (): number => readFileSync(path, 'utf8').length - 1,
    write: (client: Client) =>
      client.callTool({
        name: 'edit_file',
        arguments: { path, edits: [{ oldText: 'x', newText: 'xx' }] },
      }),
  };
}

const outcome = (code: string) => ({ isError: true, _meta: { 'proffer/outcome': { code } } });

describe('official client, proffer guard and the reference file server', () => {
  it('reads at once; a write waits, and happens once if it is approved', async () => {
    await using here = await machine();
    await using official = await startOfficial(here.args());
    const { client } = official;
    const file = counted(here.files, 'a.txt');
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: file.path } });
    expect(read).toMatchObject({ content: [{ text: 'x' }] });
    await using reviewer = await here.reviewer();
    const approved = file.write(client);
    const proposal = await next(reviewer, 'a.txt');
    expect(file.times()).toBe(0);
    await proposal.fulfil();
    expect(await approved).not.toHaveProperty('isError', true);
    expect(file.times()).toBe(1);

    const rejected = file.write(client);
    await (await next(reviewer, 'a.txt')).reject('unsafe', 'not today');
    const refused = await rejected;
    expect(refused).toMatchObject(outcome('rejected'));
    expect(JSON.stringify(refused.content)).toContain('not today');
    expect(file.times()).toBe(1);

    const other = counted(here.files, 'b.txt');
    const edited = file.write(client);
    const { params, fulfil } = await next(reviewer, 'a.txt');
    await fulfil(JSON.parse(JSON.stringify(params).replace('a.txt', 'b.txt')));
    expect(JSON.stringify((await edited).content)).toMatch(/Not run as asked: reviewer changed/);
    expect([file.times(), other.times()]).toEqual([1, 1]);
  });

  it('O-16: reports that nobody decided in time, and writes nothing', async () => {
    await using here = await machine();
    await using official = await startOfficial(here.args('--ttl', '300ms'));
    const { client } = official;
    const file = counted(here.files, 'a.txt');
    expect(await file.write(client)).toMatchObject(outcome('expired'));
    expect(file.times()).toBe(0);
  });

  it('I-2, O-3: continues after guard and gateway are killed while it waits, and writes once', async () => {
    await using here = await machine();
    await using first = await startOfficial(here.args());
    const file = counted(here.files, 'a.txt');
    await using reviewer = await here.reviewer();
    const lost = file.write(first.client).catch((error: Error) => error);
    const proposal = await next(reviewer, 'a.txt');
    await first.kill();
    expect(await lost).toBeInstanceOf(Error);
    await using second = await startOfficial(here.args());
    const again = file.write(second.client);
    await approveUntilDone(proposal);
    expect(await again).not.toHaveProperty('isError', true);
    expect(file.times()).toBe(1);
  });

  it('I-2, O-23: reports an unknown outcome to client and approver if they are killed after the approval, and writes nothing twice', async () => {
    await using here = await machine();
    let reviewer: Participant | undefined;
    for (let round = 0; round < (long ? 30 : 1); round++) {
      const file = counted(here.files, `${round}.txt`);
      await using first = await startOfficial(here.args());
      reviewer ??= await here.reviewer();
      const answered = file.write(first.client).then(
        () => true,
        () => false,
      );
      const approved = approveUntilDone(await next(reviewer, `${round}.txt`));
      await pause(3 * (round % 10));
      await first.kill();
      await using second = await startOfficial(here.args());
      // A client that got an answer does not ask again.
      if (!(await answered)) {
        const result = await file.write(second.client);
        const isUnknown = result.isError === true;
        if (isUnknown) expect(result).toMatchObject(outcome('unknown'));
        expect(file.times()).toSatisfy((times: number) => times === 1 || (isUnknown && times === 0));
      }
      // The approver has been told too, long before the answer timeout.
      await approved;
      await second.client.close();
      expect(file.times()).toBeLessThanOrEqual(1);
    }
    await reviewer?.close();
  });
});
