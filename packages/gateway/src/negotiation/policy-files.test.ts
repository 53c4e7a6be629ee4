import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOnLoopback } from '../loopback.js';
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

/** Calls a method as it is called over HTTP. */
const call = (http: string, method: string, request: object) =>
  ask(`${http}/macp/v1/${method}`, 'buyer', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });

/** The ids of the policies that are not built in. */
async function registeredAt(http: string): Promise<readonly string[]> {
  const { body } = await ask(`${http}/macp/policies`, 'buyer');
  const ids = (body['descriptors'] as { policy_id: string }[]).map(({ policy_id }) => policy_id);
  return ids.filter((id) => /^policy\.[a-z]$/.test(id));
}

describe('policies in files', () => {
  it('N-30: are registered at startup, with rules as an object or as text, and nobody registers others', async () => {
    const strict = { counter_proposal: { max_rounds: 1 } };
    await writeFile(join(folder.path, 'a.json'), policy('policy.a', strict));
    await writeFile(join(folder.path, 'b.json'), policy('policy.b', JSON.stringify(strict)));
    await writeFile(join(folder.path, 'notes.txt'), 'not a policy');
    await using server = await startTestGateway(configured());
    expect(await registeredAt(server.http)).toEqual(['policy.a', 'policy.b']);
    const readOnly = { status: 409, code: 'REGISTRY_READ_ONLY' };
    const policy_descriptor = JSON.parse(policy('policy.c', {})) as object;
    expect(await call(server.http, 'RegisterPolicy', { policy_descriptor })).toMatchObject(readOnly);
    expect(await call(server.http, 'UnregisterPolicy', { policy_id: 'policy.a' })).toMatchObject(readOnly);
  });

  it('N-30: are the only ones that can be named, whatever was registered before', async () => {
    await using data = await temporaryFolder();
    const registered = async (yaml: string): Promise<readonly string[]> => {
      await using gateway = await startOnLoopback(yaml, { folder: data.path });
      return await registeredAt(`http://127.0.0.1:${gateway.port}`);
    };
    {
      await using gateway = await startOnLoopback('dev: true', { folder: data.path });
      const policy_descriptor = JSON.parse(policy('policy.c', '{}')) as object;
      const answer = await call(`http://127.0.0.1:${gateway.port}`, 'RegisterPolicy', { policy_descriptor });
      expect(answer.status).toBe(200);
    }
    const b = join(folder.path, 'b.json');
    await writeFile(join(folder.path, 'a.json'), policy('policy.a', {}));
    await writeFile(b, policy('policy.b', {}));
    expect(await registered(configured())).toEqual(['policy.a', 'policy.b']);
    await rm(b);
    expect(await registered(configured())).toEqual(['policy.a']);
    await writeFile(b, policy('policy.b', {}));
    expect(await registered(configured())).toEqual(['policy.a', 'policy.b']);
  });

  it('N-30: a file that cannot be read takes no other policy away', async () => {
    await using data = await temporaryFolder();
    const a = join(folder.path, 'a.json');
    await writeFile(a, policy('policy.a', {}));
    await (await startOnLoopback(configured(), { folder: data.path }))[Symbol.asyncDispose]();
    await rm(a);
    await writeFile(join(folder.path, 'wrong.json'), '{');
    await expect(startOnLoopback(configured(), { folder: data.path })).rejects.toThrow('wrong.json');
    await using gateway = await startOnLoopback('dev: true', { folder: data.path });
    expect(await registeredAt(`http://127.0.0.1:${gateway.port}`)).toEqual(['policy.a']);
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
