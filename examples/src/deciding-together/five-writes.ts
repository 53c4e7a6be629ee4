import { RefusedError } from '@proffer/client';
import { expectThat, type LiveStory, line } from '../story.js';
import { openDisk } from './disk.js';

/** Growing trust: a grant with a limited number of uses, counted on disk. */
export const fiveWrites: LiveStory = {
  title: 'Five writes, and then no more',
  about: 'A reviewer lets an agent write by itself, five times and only in /tmp.',
  async tell(print) {
    await using disk = await openDisk();
    const agent = await disk.join('agent');
    const reviewer = await disk.join('reviewer');
    const write = (path: string) =>
      agent
        .request('tools/call', { name: 'write_file', arguments: { path, text: 'hello' } })
        .then(() => 'written')
        .catch((error: unknown) => (error instanceof RefusedError ? error.code : 'failed'));

    expectThat((await write('/tmp/0')) === 'capability_violation', 'an agent may not write by itself');
    print(line('agent', 'writes /tmp/0', '✗ capability_violation'));
    const inTmp = {
      kind: 'mcp.request.tools/call:write_file',
      payload: { params: { arguments: { path: '/tmp/**' } } },
    };
    const granted = await reviewer.grant('agent', [inTmp], {
      uses: 5,
      ttl: 3_600_000,
      reason: 'careful so far',
    });
    print(line('reviewer', 'grants', '→ five writes in /tmp, within the hour'));

    expectThat((await write('/etc/passwd')) === 'capability_violation', 'elsewhere it still may not');
    print(line('agent', 'writes /etc/passwd', '✗ capability_violation'));
    for (const number of [1, 2, 3, 4, 5]) {
      expectThat((await write(`/tmp/${number}`)) === 'written', `write ${number} is allowed`);
      print(line('agent', `writes /tmp/${number}`, `→ ${5 - number} left`));
    }
    expectThat((await write('/tmp/6')) === 'capability_violation', 'the sixth is not');
    print(line('agent', 'writes /tmp/6', '✗ capability_violation'));
    expectThat(disk.written.length === 5, 'five were written');

    const over = await reviewer.revoke(granted.id).catch((error: unknown) => error);
    expectThat(over instanceof RefusedError && over.code === 'unknown_grant', 'nothing is left to revoke');
  },
};
