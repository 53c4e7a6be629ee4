import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { connect } from '@proffer/client';
import { canonicalJson, type JsonObject, textOf } from '@proffer/core/json';
import { operationDigest } from '@proffer/core/operations';
import { checkpointText, formatNote, formatVerifierKey, parseCheckpoint } from '@proffer/evidence';
import { cosignText, formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { type Forged, readAll, writeAll } from '../testing/forger.js';
import { runHere } from '../testing/in-process.js';
import { checkContents } from './check-contents.js';
import { decideApart } from './decide-apart.js';
import thread from './deciding-thread.program';
import { folderPlace } from './place.js';

const FIXTURES = fileURLToPath(new URL('../../../journal/fixtures', import.meta.url));

const log = makeSignerKey('proffer.example/log');
const witness = makeSignerKey('witness.example', 4);
const KEYS = [log, witness].flatMap(({ verifier }) => ['--log-key', formatVerifierKey(verifier)]);

const config = (home: string, approvals: number): string => `dev: true
evidence: { key: ${JSON.stringify(join(home, 'log.key'))} }
participants:
  ann: { spaces: { main: ["*"] } }
  bob: { spaces: { main: ["*"] } }
spaces:
  main:
    review: [{ name: payments, call: "mcp.request.tools/call:pay", approvals: ${approvals}, from: [ann, bob, reviewer], veto: true }]
`;

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let honest: readonly Forged[];
/** What the witness signed. */
let witnessed: string;

/** A gateway does some work: two approvals, a rejection, a withdrawal; then one payment under a looser policy. */
beforeAll(async () => {
  home = await temporaryFolder();
  const data = join(home.path, 'data');
  await writeFile(join(home.path, 'log.key'), `${formatSignerKey(log)}\n`, { mode: 0o600 });
  const work = async (approvals: number, steps: readonly (readonly [string, ...string[]])[]) => {
    await using gateway = await startOnLoopback(config(home.path, approvals), { folder: data });
    const url = `http://127.0.0.1:${gateway.port}`;
    await using tools = await connect({ url, space: 'main', token: 'tools' });
    await tools.serve([{ name: 'pay', handler: () => 'paid' }]);
    for (const [who, ...line] of steps) {
      const { code, stderr } = await runHere([...line, '--as', who], { PROFFER_URL: url });
      if (code !== 0) throw new Error(`${line.join(' ')}: ${stderr}`);
    }
  };
  const pay = (id: string, amount: number) =>
    [
      'agent',
      'propose',
      'pay',
      '--arg',
      `amount=${amount}`,
      '--arg',
      'to=acme',
      '--id',
      id,
      '--no-wait',
    ] as const;
  await work(2, [
    pay('p-1', 100),
    ['ann', 'approve', 'p-1', '--yes'],
    ['bob', 'approve', 'p-1', '--yes'],
    pay('p-2', 7),
    ['agent', 'withdraw', 'p-2'],
    pay('p-3', 900),
    ['bob', 'reject', 'p-3', '--reason', 'unsafe'],
  ]);
  await work(1, [pay('p-4', 5000), ['ann', 'approve', 'p-4', '--yes']]);
  honest = await readAll(data);
  const again = parseCheckpoint(await writeAll(data, honest, log));
  if (again === undefined) throw new Error('no checkpoint');
  const text = checkpointText(log.verifier.name, again);
  witnessed = formatNote({
    text,
    signatures: [...again.note.signatures, cosignText(witness, text, Date.now())],
  });
  await writeFile(join(home.path, 'witnessed'), witnessed);
});
afterAll(() => home[Symbol.asyncDispose]());

/** What `verify` says about a journal that was written with these records by somebody with the key of the log. */
async function verify(records: readonly Forged[], more: readonly string[] = []) {
  const folder = join(home.path, 'forged');
  await writeFile(join(home.path, 'own'), await writeAll(folder, records, log));
  await expectSameApart(folder);
  return await runHere([
    'verify',
    '--data',
    folder,
    '--checkpoint',
    join(home.path, 'own'),
    ...more,
    ...KEYS,
  ]);
}

/** Whether a journal is decided again in another thread or in this one, the report is the same. */
async function expectSameApart(folder: string): Promise<void> {
  const place = folderPlace(folder);
  const options = { kept: { checkpoints: [], keys: [] }, removed: 0, screen: new PassThrough() };
  await using apart = await decideApart(place, options.screen, { program: thread, leastBytes: 0 });
  const found = await checkContents(place, { ...options, apart });
  expect(found.decided).toBe(await apart?.decided);
  expect(JSON.stringify(found)).toBe(JSON.stringify(await checkContents(place, options)));
}

const at = (type: string, proposal: string): number =>
  honest.findIndex(({ content }) => content.type === type && content.facts['proposal'] === proposal);
const find = (type: string, proposal: string): Forged => honest[at(type, proposal)] as Forged;

/** A record with other texts, wherever they are. */
function rewritten({ stream, content }: Forged, ...changes: readonly (readonly [string, string])[]): Forged {
  let text = canonicalJson(content);
  for (const [before, after] of changes) text = text.replaceAll(before, after);
  return { stream, content: JSON.parse(text) as Forged['content'] };
}

const replace = (type: string, proposal: string, edit: (record: Forged) => Forged) =>
  honest.with(at(type, proposal), edit(find(type, proposal)));

const without = (gone: readonly Forged[]) => honest.filter((record) => !gone.includes(record));

function withFacts({ stream, content }: Forged, facts: JsonObject): Forged {
  return { stream, content: { ...content, facts: { ...content.facts, ...facts } } };
}

/** An approval of one payment, as if it had been given for another one. */
const approvalFor = (proposal: string) => {
  const given = rewritten(find('approved', 'p-1'), ['"p-1"', `"${proposal}"`], ['"bob"', '"ann"']);
  const { stream, content } = rewritten(given, [textOf(given.content.envelope['id']), 'added']);
  return withFacts(
    { stream: stream.replace('p-1', proposal), content },
    { digest: find('proposed', proposal).content.facts['digest'] ?? '' },
  );
};

const second = () => {
  const ran = find('fulfilled', 'p-1');
  return rewritten(ran, [textOf(ran.content.envelope['id']), 'again']);
};

const looser = () => honest.filter(({ content: { type } }) => type === 'rules_changed').slice(1);

/** A gateway starts on a folder, takes a proposal, and stops. */
async function proposeAt(yaml: string, folder: string, id: string): Promise<void> {
  await using gateway = await startOnLoopback(yaml, { folder });
  const line = ['propose', 'pay', '--no-wait', '--as', 'agent', '--id', id];
  const { code } = await runHere(line, { PROFFER_URL: `http://127.0.0.1:${gateway.port}` });
  expect(code).toBe(0);
}

describe('verify', () => {
  it('I-11: decides an honest journal again, and says when its policy was looser', async () => {
    const { code, stdout } = await verify(honest);
    expect(stdout).toContain('decided again by the rules then in force: as recorded');
    expect(stdout).toContain('settings › review › payments › approvals from 2 to 1');
    expect(code).toBe(0);
  });

  it.each<[string, () => readonly Forged[], string]>([
    ['a second fulfilment', () => [...honest, second()], 'proposal_not_pending'],
    ['an added approval', () => [...honest, approvalFor('p-3')], 'proposal_not_pending'],
    [
      'an added approval of what nobody had approved',
      () => honest.toSpliced(at('withdrawn', 'p-2'), 0, approvalFor('p-2')),
      'cannot have come about by the rules',
    ],
    [
      'another payee where the call ran',
      () => replace('fulfilled', 'p-1', (record) => rewritten(record, ['"to":"acme"', '"to":"evil"'])),
      'cannot have come about by the rules',
    ],
    [
      'a self-approval',
      () => replace('approved', 'p-1', (record) => rewritten(record, ['"ann"', '"agent"'])),
      'capability_violation',
    ],
    [
      'an approver whose approval does not count',
      () => replace('approved', 'p-1', (record) => rewritten(record, ['"ann"', '"mallory"'])),
      'should have been refused',
    ],
    [
      'one person who approves twice',
      () => replace('approved', 'p-1', (record) => rewritten(record, ['"ann"', '"bob"'])),
      'already_approved',
    ],
    [
      'a foreign withdrawal',
      () => replace('withdrawn', 'p-2', (record) => rewritten(record, ['"agent"', '"bob"'])),
      'not_proposer',
    ],
    [
      'a response by somebody else',
      () => replace('answered', 'p-1', (record) => rewritten(record, ['"tools"', '"bob"'])),
      'not_executor',
    ],
    [
      'a proposal that was changed beside its digest',
      () => replace('proposed', 'p-1', (record) => rewritten(record, ['"amount":100', '"amount":900'])),
      'cannot have come about by the rules',
    ],
    [
      'an amount that was changed where it was proposed, with its digest',
      () => {
        const { method, params } = rewritten(find('proposed', 'p-1'), ['"amount":100', '"amount":900'])
          .content.envelope['payload'] as JsonObject;
        const digest = operationDigest(method, params);
        return replace('proposed', 'p-1', (record) =>
          withFacts(rewritten(record, ['"amount":100', '"amount":900']), { digest }),
        );
      },
      'does not become',
    ],
    [
      'another executor',
      () => replace('fulfilled', 'p-1', (record) => withFacts(record, { executor: 'bob' })),
      'cannot have come about by the rules',
    ],
    ['a removed approval', () => without([find('approved', 'p-1')]), 'cannot have come about by the rules'],
    ['a removed proposal', () => without([find('proposed', 'p-1')]), 'approval_required'],
    ['a removed rejection', () => without([find('rejected', 'p-3')]), 'Nothing gave the gateway a reason'],
    ['a removed refusal by veto', () => without([find('declined', 'p-3')]), 'had to follow'],
    [
      'an approval that came before its proposal',
      () => {
        const [proposed, approved] = [find('proposed', 'p-1'), find('approved', 'p-1')];
        return honest.map((one) => (one === proposed ? approved : one === approved ? proposed : one));
      },
      'approval_required',
    ],
    [
      'an approval after the time was up',
      () =>
        honest.map((record) =>
          record === find('proposed', 'p-1')
            ? withFacts(record, { expiresAt: record.content.time + 1 })
            : record,
        ),
      'cannot have come about by the rules',
    ],
    [
      'a policy that was looser when it mattered, and is kept quiet',
      () => without(looser()),
      'cannot have come about',
    ],
    [
      'rules that were made looser afterwards',
      () =>
        honest.map((record) =>
          record.content.type === 'rules_changed'
            ? rewritten(record, ['"approvals":2', '"approvals":1'])
            : record,
        ),
      'cannot have come about by the rules',
    ],
  ])(
    'I-11: finds %s, although all is chained and signed again with the key of the log',
    async (_, forge, sentence) => {
      const { code, stdout } = await verify(forge());
      expect(stdout).toContain(sentence);
      expect(stdout).toContain('has records that its rules do not allow');
      expect(code).toBe(1);
    },
  );

  it('I-11: finds times that run backwards', async () => {
    const shifted = replace('withdrawn', 'p-2', ({ stream, content }) => ({
      stream,
      content: { ...content, time: content.time - 3_600_000 },
    }));
    expect((await verify(shifted)).stdout).toMatch(/The time runs backwards 1 time, by 1h|by 59m/);
  });

  const both = (
    type: string,
    proposal: string,
    ...changes: readonly (readonly [string, string])[]
  ): readonly Forged[] => replace(type, proposal, (record) => rewritten(record, ...changes));

  it.each<[string, () => readonly Forged[]]>([
    ['an amount', () => honest.map((record) => rewritten(record, ['"amount":7', '"amount":8']))],
    ['a payee', () => honest.map((record) => rewritten(record, ['"to":"acme"', '"to":"evil"']))],
    ['an executor', () => honest.map((record) => rewritten(record, ['"tools"', '"other"']))],
    ['an approver', () => both('approved', 'p-1', ['"ann"', '"reviewer"'])],
    ['a removed rejection', () => without([find('rejected', 'p-3'), find('declined', 'p-3')])],
    ['a removed proposal', () => honest.filter(({ stream }) => !stream.endsWith('/p-2'))],
    ['cut off records', () => honest.slice(0, -3)],
    [
      'shifted times',
      () =>
        honest.map(({ stream, content }) => ({ stream, content: { ...content, time: content.time + 5 } })),
    ],
    ['records in another order', () => [honest[1] as Forged, honest[0] as Forged, ...honest.slice(2)]],
    ['an added record', () => [...honest.slice(0, 3), second(), ...honest.slice(3)]],
    ['a removed change of the policy', () => without(looser())],
  ])(
    'I-9, I-11: finds %s by what a witness signed, although the key of the log signed it',
    async (_, forge) => {
      const { code, stdout } = await verify(forge(), ['--checkpoint', join(home.path, 'witnessed')]);
      expect(stdout).toMatch(/The journal does not begin with the|and the journal has only/);
      expect(code).toBe(1);
    },
  );

  /** What `verify` says about an honest folder in which a thief replaced files. */
  async function verifyReplaced(replace: (folder: string) => Promise<void>) {
    const folder = join(home.path, 'replaced');
    await writeAll(folder, honest, log);
    await replace(folder);
    return await runHere(['verify', '--data', folder, '--checkpoint', join(home.path, 'witnessed'), ...KEYS]);
  }

  it.each<[string, (folder: string) => Promise<void>]>([
    [
      'a segment of another journal',
      async (folder) => {
        const other = join(home.path, 'other');
        await writeAll(
          other,
          honest.map((record) => rewritten(record, ['"amount":7', '"amount":8'])),
          log,
        );
        const segment = '00000001.0000.segment';
        await copyFile(join(other, segment), join(folder, segment));
      },
    ],
    [
      'a folder that says it is of an older format',
      (folder) => writeFile(join(folder, 'format.json'), '{"journal":"proffer","format":2}\n'),
    ],
    [
      'a journal of an older format in its place',
      async (folder) => {
        await rm(folder, { recursive: true });
        await cp(join(FIXTURES, 'v2', 'journal'), folder, { recursive: true });
      },
    ],
  ])('I-9: finds %s', async (_, replace) => {
    const { code, stdout, stderr } = await verifyReplaced(replace);
    expect(`${stdout}${stderr}`).toMatch(
      /is not the one that the log has|and the journal has only|it says format 2/,
    );
    expect(code).toBe(1);
  });

  it.each<[string, (data: string) => Promise<void>]>([
    ['of format v2', (data) => cp(join(FIXTURES, 'v2', 'journal'), data, { recursive: true })],
    ['of format v3', (data) => cp(join(FIXTURES, 'v3', 'journal'), data, { recursive: true })],
    ['without a log', (data) => proposeAt('dev: true', data, 'before')],
  ])('I-3, I-9: says of a journal %s what is from before', async (name, make) => {
    const data = join(home.path, name);
    await make(data);
    const key = join(home.path, `${name}.key`);
    await writeFile(key, `${formatSignerKey(log)}\n`, { mode: 0o600 });
    const evidence = `dev: true\nevidence: { key: ${JSON.stringify(key)} }\nspaces: { main: {}, other: {} }`;
    for (const id of ['after', 'later']) await proposeAt(evidence, data, id);
    const line = ['verify', '--data', data, '--checkpoint', `${key}.checkpoint`, ...KEYS];
    const { code, stdout } = await runHere(line);
    expect(stdout).toMatch(/The first \d+ records are what proffer.example\/log signed/);
    expect(stdout).toMatch(/\d+ records? from before rules were recorded/);
    expect(code).toBe(0);
  });

  it('I-9: holds an honest journal against what a witness signed', async () => {
    const { code, stdout } = await verify(honest, ['--checkpoint', join(home.path, 'witnessed')]);
    expect(stdout).toContain('witness.example (');
    expect(code).toBe(0);
    expect(await readFile(join(home.path, 'witnessed'), 'utf8')).toBe(witnessed);
  });
});
