import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.js';
import { ask } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const policy = (id: string, rules: unknown) =>
  JSON.stringify({ policy_id: id, mode: 'macp.mode.proposal.v1', description: '', rules, schema_version: 1 });
const configured = (): string => `dev: true\nnegotiation: { policies: ${JSON.stringify(folder.path)} }`;

describe('policies in files', () => {
  it('N-30: are registered at startup, with rules as an object or as text, and nobody registers others', async () => {
    const strict = { counter_proposal: { max_rounds: 1 } };
    await writeFile(join(folder.path, 'a.json'), policy('policy.a', strict));
    await writeFile(join(folder.path, 'b.json'), policy('policy.b', JSON.stringify(strict)));
    await writeFile(join(folder.path, 'notes.txt'), 'not a policy');
    await using server = await startTestGateway(configured());
    const { body } = await ask(`${server.http}/macp/policies`, 'buyer');
    const ids = (body['descriptors'] as { policy_id: string }[]).map(({ policy_id }) => policy_id);
    expect(ids).toEqual(expect.arrayContaining(['policy.a', 'policy.b']));
    const rpc = (method: string, request: object) =>
      ask(`${server.http}/macp/v1/${method}`, 'buyer', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
    const readOnly = { status: 409, code: 'REGISTRY_READ_ONLY' };
    const policy_descriptor = JSON.parse(policy('policy.c', {})) as object;
    expect(await rpc('RegisterPolicy', { policy_descriptor })).toMatchObject(readOnly);
    expect(await rpc('UnregisterPolicy', { policy_id: 'policy.a' })).toMatchObject(readOnly);
  });

  it.each([
    ['is not JSON', '{'],
    ['has unknown rules', policy('policy.a', { nonsense: true })],
    ['names no version', '{"policy_id":"policy.a","mode":"*","rules":{}}'],
  ])('N-30: a gateway does not start with a file that %s', async (_, text) => {
    await writeFile(join(folder.path, 'wrong.json'), text);
    await expect(startTestGateway(configured())).rejects.toThrow('wrong.json');
  });
});
