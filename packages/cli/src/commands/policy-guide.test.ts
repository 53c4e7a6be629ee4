import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const GUIDE = new URL('../../../../docs/guides/review-policies.md', import.meta.url);

it('O-28: the configuration of the guide is valid, and its policy says what the guide says', async () => {
  const blocks = Array.from(
    readFileSync(GUIDE, 'utf8').matchAll(/^```yaml\n(.*?)^```/gms),
    ([, yaml]) => yaml,
  );
  expect(blocks).toHaveLength(3);
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'proffer.yaml');
  await writeFile(file, blocks.join(''));
  const explain = (tool: string, args: object) =>
    runHere(['policy', 'explain', tool, '--args', JSON.stringify(args), '--as', 'agent', '--config', file]);

  const payment = await explain('pay_invoice', { amount: 900 });
  expect(payment.stderr).toBe('');
  expect(payment.stdout).toMatch(/^payments applies to this call\./);
  expect(payment.stdout).toContain('This call needs 2 approvals');
  expect((await explain('refund', { amount: 5 })).stdout).toMatch(/^small refunds applies/);
  expect((await explain('delete_user', {})).stdout).toMatch(/^deletions applies/);
  expect((await explain('deploy', {})).stdout).toMatch(/^deployments applies/);
  expect((await explain('read_user', {})).stdout).toContain('No entry in the policy of main matches');
});
