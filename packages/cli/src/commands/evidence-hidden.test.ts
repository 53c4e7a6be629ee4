import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { canonicalJson, type JsonObject, objectOf, textOf } from '@proffer/core/json';
import {
  type DsseEnvelope,
  dsseEnvelope,
  type EvidenceStatement,
  formatVerifierKey,
  keyId,
  STATEMENT_PAYLOAD,
} from '@proffer/evidence';
import { formatSignerKey, makeSignerKey, signBytes } from '@proffer/evidence/node';
import { type LoopbackGateway, startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const log = makeSignerKey('proffer.example/log');

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let gateway: LoopbackGateway;
let url: string;

const at = (name: string) => join(home.path, name);
const as = (name: string, ...line: readonly string[]) =>
  runHere([...line, '--as', name], { PROFFER_URL: url });
const verify = (file: string) => runHere(['verify', file, '--log-key', formatVerifierKey(log.verifier)]);

async function start(hideable: boolean): Promise<void> {
  const evidence = `evidence: { key: ${JSON.stringify(at('log.key'))}, hideable: ${hideable} }`;
  gateway = await startOnLoopback(`dev: true\n${evidence}`, { folder: at('data') });
  url = `http://127.0.0.1:${gateway.port}`;
}

beforeAll(async () => {
  home = await temporaryFolder();
  await writeFile(at('log.key'), `${formatSignerKey(log)}\n`, { mode: 0o600 });
  await start(true);
  await using tools = await connect({ url, space: 'main', token: 'tools' });
  await tools.serve([{ name: 'pay', handler: ({ account }) => `paid to ${textOf(account)}` }]);
  await as('agent', 'propose', 'pay', '--arg', 'account=AT77', '--no-wait', '--id', 'p-2');
  await as('reviewer', 'approve', 'p-2', '--yes', '--set', 'account=AT7788');
  const call = ['propose', 'pay', '--arg', 'amount=100', '--arg', 'account="DE89 3704"', '--no-wait'];
  await as('agent', ...call, '--id', 'p-1', '--reason', 'the rent');
  await as('bob', 'reject', 'p-1', '--reason', 'de89 3704', '--message', 'Whose is de89 3704?');
  await as('reviewer', 'approve', 'p-1', '--yes');
  await as('agent', 'propose', 'pay', '--arg', 'account=carol-99', '--no-wait', '--id', 'for-carol-99');
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

async function statementIn(file: string): Promise<EvidenceStatement> {
  const { payload } = JSON.parse(await readFile(file, 'utf8')) as DsseEnvelope;
  return JSON.parse(Buffer.from(payload, 'base64').toString()) as EvidenceStatement;
}

function argumentsOf({ predicate }: EvidenceStatement, type: string): JsonObject {
  const found = predicate.records.find(({ record }) => record['type'] === type);
  const { payload } = objectOf(found?.record['envelope']);
  return objectOf(objectOf(objectOf(payload)['params'])['arguments']);
}

async function signAndVerify(text: string) {
  const made = dsseEnvelope(STATEMENT_PAYLOAD, Buffer.from(text), (bytes) => [
    { keyid: keyId(log.verifier), signature: signBytes(log, bytes) },
  ]);
  await writeFile(at('forged.json'), JSON.stringify(made));
  return await verify(at('forged.json'));
}

describe('proffer evidence --hide', () => {
  it('I-12: leaves out an argument, what is computed from it and what mentions it, and proves the rest', async () => {
    const written = await as('reviewer', 'evidence', '--hide', 'account', 'p-1', '--out', at('hidden.json'));
    expect(written).toMatchObject({ code: 0 });
    const statement = await statementIn(at('hidden.json'));
    expect(JSON.stringify(statement)).not.toMatch(/DE89 3704|sha256:/i);
    expect(argumentsOf(statement, 'proposed')).toEqual({
      amount: 100,
      account: expect.stringMatching(/^hidden:/),
    });
    // What was approved is what ran.
    expect(argumentsOf(statement, 'fulfilled')).toEqual(argumentsOf(statement, 'proposed'));
    const { code, stdout } = await verify(at('hidden.json'));
    expect(stdout).toMatch(/Proved:[^]*These 5 records are among the first[^]*Consistent/);
    expect(stdout).not.toMatch(/hidden:[\da-f]{9}/);
    expect(stdout).toMatch(/values of these records are hidden, "account" among them/);
    expect(stdout).toMatch(/the rent[^]*bob {2}rejected[^]*reviewer {2}approved[^]*ran this call/);
    expect(code).toBe(0);
  });

  it('I-10, O-13: shows what an approver changed and what was answered, and hides them with the rest', async () => {
    const changed = (text: string) => text.split('\n').filter((line) => / (reviewer|tools) {2}/.test(line));
    await as('reviewer', 'evidence', 'p-2', '--out', at('changed.json'));
    expect(changed((await verify(at('changed.json'))).stdout)).toEqual([
      expect.stringContaining('runs it (account from "AT77" to "AT7788")'),
      expect.stringContaining('ran this call: {"content":[{"text":"paid to AT7788"'),
    ]);
    await as('reviewer', 'evidence', 'p-2', '--hide', 'account', '--out', at('changed.json'));
    const { stdout } = await verify(at('changed.json'));
    expect(stdout).not.toContain('AT77');
    expect(changed(stdout)).toEqual([
      expect.stringMatching(/runs it \(hidden:[\da-f]{8}…\)/),
      expect.stringMatching(/ran this call: "hidden:[\da-f]{8}…"/),
    ]);
  });

  it('I-10: of everything since a time, each step says which proposal and which call it is about', async () => {
    await as('reviewer', 'evidence', '--since', '1h', '--out', at('since.json'));
    const { stdout } = await verify(at('since.json'));
    expect(stdout).toContain('agent  p-2: proposed this call: pay {"account":"AT77"}');
    expect(stdout).toMatch(/reviewer {2}p-1: approved this call/);
  });

  it('I-10: a file is named after the proposal, and says if it hides something', async () => {
    const here = process.cwd();
    process.chdir(home.path);
    try {
      const written = await as('reviewer', 'evidence', 'p-1', '--hide', 'account');
      expect(written.stdout).toBe('✓ p-1.hidden.evidence.json: main/proposal/p-1, 5 records.\n');
    } finally {
      process.chdir(here);
    }
  });

  it('I-12: a file with the values shows that they were these', async () => {
    await as('reviewer', 'evidence', 'p-1', '--out', at('whole.json'));
    expect(await verify(at('whole.json'))).toMatchObject({ code: 0 });
    const whole = await statementIn(at('whole.json'));
    expect(argumentsOf(whole, 'proposed')).toEqual({ amount: 100, account: 'DE89 3704' });
    expect(whole.subject).toEqual((await statementIn(at('hidden.json'))).subject);
  });

  it('I-12: nobody passes another value for a hidden one', async () => {
    const statement = await statementIn(at('hidden.json'));
    const text = canonicalJson(statement);
    expect(await signAndVerify(text)).toMatchObject({ code: 0 });
    const other = text.replaceAll(/"account":"hidden:\w+"/g, '"account":"FR76"');
    expect(await signAndVerify(other)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was changed after'),
    });
    const salted = other.replaceAll('arguments/account":null', 'arguments/account":"salt"');
    expect(await signAndVerify(salted)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was changed after'),
    });
  });

  it('I-12: nobody moves digits of a value into its salt', async () => {
    const statement = await statementIn(at('whole.json'));
    const forged = canonicalJson(statement)
      .replaceAll('"amount":100', '"amount":0')
      .replaceAll(/(arguments\/amount":"[^"]+)"/g, '$110"');
    expect(await signAndVerify(forged)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was changed after'),
    });
  });

  it.each([
    [
      'an argument that is not there',
      'p-1',
      'acount',
      'The call has no argument "acount"; it has "account" and "amount".',
    ],
    ['a value that is in an id', 'for-carol-99', 'account', 'mentions a hidden value'],
  ])('I-12: refuses to hide %s', async (_, id, name, why) => {
    const refused = await as('reviewer', 'evidence', id, '--exact', '--hide', name, '--out', at('no.json'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
  });

  it('I-12: the journal is verified like any other, also offline, and older calls stay as they are', async () => {
    await gateway[Symbol.asyncDispose]();
    const config = at('proffer.yaml');
    await writeFile(
      config,
      'dev: true\njournal: { path: data }\nevidence: { key: log.key, hideable: true }\n',
    );
    const whole = await runHere(['verify', '--config', config]);
    expect(whole).toMatchObject({ code: 0 });
    const offline = ['evidence', 'p-1', '--config', config, '--hide', 'amount', '--out', at('offline.json')];
    expect(await runHere(offline)).toMatchObject({ code: 0 });
    expect(argumentsOf(await statementIn(at('offline.json')), 'proposed')).toMatchObject({
      account: 'DE89 3704',
      amount: expect.stringMatching(/^hidden:/),
    });
    expect(await verify(at('offline.json'))).toMatchObject({ code: 0 });
    await start(false);
    await as('agent', 'propose', 'pay', '--arg', 'amount=1', '--no-wait', '--id', 'p-3');
    const refused = await as('reviewer', 'evidence', 'p-3', '--hide', 'amount', '--out', at('no.json'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('evidence.hideable') });
  });
});
