import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { canonicalJson, type JsonObject, textOf } from '@proffer/core/json';
import { expectedHash, type SealedRecord } from '@proffer/core/records';
import {
  checkpointText,
  type DsseEnvelope,
  dsseEnvelope,
  type EvidenceEntry,
  type EvidencePredicate,
  type EvidenceStatement,
  formatNote,
  formatVerifierKey,
  keyId,
  parseCheckpoint,
  readScitt,
  STATEMENT_PAYLOAD,
} from '@proffer/evidence';
import {
  cosignText,
  formatSignerKey,
  makeSignerKey,
  type SignerKey,
  signBytes,
  signCoseStatement,
  signText,
} from '@proffer/evidence/node';
import { type LoopbackGateway, startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';
import { openSession } from '../testing/negotiating.js';

const log = makeSignerKey('proffer.example/log');
const thief = makeSignerKey('proffer.example/log');
const witness = makeSignerKey('witness.example', 4);
const KEYS = [log, witness].flatMap(({ verifier }) => ['--log-key', formatVerifierKey(verifier)]);

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let gateway: LoopbackGateway;
let url: string;
let envelope: DsseEnvelope;

const data = () => join(home.path, 'data');
const at = (name: string) => join(home.path, name);
const as = (name: string, ...line: readonly string[]) =>
  runHere([...line, '--as', name], { PROFFER_URL: url });
const verify = (file: string, ...more: readonly string[]) => runHere(['verify', file, ...KEYS, ...more]);

beforeAll(async () => {
  home = await temporaryFolder();
  await writeFile(at('log.key'), `${formatSignerKey(log)}\n`, { mode: 0o600 });
  gateway = await startOnLoopback(`dev: true\nevidence: { key: ${JSON.stringify(at('log.key'))} }`, {
    folder: data(),
  });
  url = `http://127.0.0.1:${gateway.port}`;
  await using tools = await connect({ url, space: 'main', token: 'tools' });
  await tools.serve([{ name: 'pay', handler: () => 'paid' }]);
  await as('agent', 'propose', 'pay', '--arg', 'amount=100', '--id', 'p-1', '--no-wait');
  await as('bob', 'reject', 'p-1', '--reason', 'unsafe');
  await as('reviewer', 'approve', 'p-1', '--yes');
  await as('agent', 'propose', 'pay', '--arg', 'amount=7', '--id', 'p-2', '--no-wait');
  await as('reviewer', 'evidence', 'p-1', '--out', at('p-1.json'));
  envelope = JSON.parse(await readFile(at('p-1.json'), 'utf8')) as DsseEnvelope;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const statementIn = ({ payload }: DsseEnvelope): EvidenceStatement =>
  JSON.parse(Buffer.from(payload, 'base64').toString()) as EvidenceStatement;

/** A file with another statement, signed by whoever forged it. */
async function forged(statement: EvidenceStatement, signers: readonly SignerKey[]): Promise<string> {
  const file = at('forged.json');
  const made = dsseEnvelope(STATEMENT_PAYLOAD, Buffer.from(canonicalJson(statement)), (bytes) =>
    signers.map((key) => ({ keyid: keyId(key.verifier), signature: signBytes(key, bytes) })),
  );
  await writeFile(file, JSON.stringify(made));
  return file;
}

type Change = (predicate: EvidencePredicate) => Partial<EvidencePredicate>;

const change =
  (type: string, edit: (record: SealedRecord) => SealedRecord): Change =>
  ({ records }) => ({
    records: records.map((entry) =>
      entry.record['type'] === type ? { ...entry, record: edit(sealed(entry)) } : entry,
    ),
  });

const sealed = ({ record }: EvidenceEntry): SealedRecord => record as unknown as SealedRecord;

/** Seals records again, with new chains, as whoever can write the journal does. */
function resealed({ records }: EvidencePredicate): readonly EvidenceEntry[] {
  const heads = new Map<string, string>();
  return records.map((entry) => {
    const { stream, prev } = sealed(entry);
    const record = { ...sealed(entry), prev: heads.get(stream) ?? prev };
    const hash = expectedHash(record);
    heads.set(stream, hash);
    return { ...entry, record: { ...record, hash } };
  });
}

const amount = change('proposed', (record) => ({
  ...record,
  envelope: JSON.parse(JSON.stringify(record.envelope).replaceAll('100', '900')) as JsonObject,
}));
const approver = change('fulfilled', (record) => ({ ...record, principal: 'mallory' }));

const again =
  (first: Change): Change =>
  (predicate) => {
    const changed = { ...predicate, ...first(predicate) };
    const records = resealed(changed);
    const steps = changed.summary.steps.map((step) => {
      const found = records.find(({ seq }) => seq === step.seq);
      return { ...step, who: textOf(found?.record['principal']) };
    });
    return { records, summary: { ...changed.summary, steps } };
  };

const without =
  (type: string): Change =>
  ({ records, summary }) => ({
    records: records.filter(({ record }) => record['type'] !== type),
    summary: { ...summary, steps: summary.steps.filter(({ what }) => what !== type) },
  });

const withNote =
  (name: string, sign: (text: string) => readonly ReturnType<typeof signText>[]): Change =>
  ({ log: found }) => {
    const { size = 0, root = new Uint8Array() } = parseCheckpoint(found?.checkpoint ?? '') ?? {};
    const text = checkpointText(name, { size, root });
    const checkpoint = formatNote({ text, signatures: sign(text) });
    return found === undefined ? {} : { log: { ...found, checkpoint } };
  };

describe('proffer evidence', () => {
  it('I-10: shows who decided what, and what of it is proved', async () => {
    const { code, stdout } = await verify(at('p-1.json'));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /pay .*100[^]*agent {2}proposed[^]*bob {2}rejected[^]*reviewer {2}approved[^]*ran this call/,
    );
    expect(stdout).toContain('rests on seq 2: tools announced');
    expect(stdout).toMatch(/Proved:[^]*The file is as proffer\.example\/log made and signed it/);
    expect(stdout).toContain('These 5 records are among the first');
    expect(stdout).toContain('Nobody can know without a witness:');
    expect(envelope.payloadType).toBe('application/vnd.in-toto+json');
    expect(statementIn(envelope)).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'main/proposal/p-1' }],
      predicate: { summary: { state: 'done' } },
    });
    expect(JSON.stringify(envelope).length).toBeLessThan(50_000);
  });

  it('I-9, I-10: makes no file for somebody who saw a longer log', async () => {
    const text = checkpointText('proffer.example/log', { size: 999, root: new Uint8Array(32) });
    await writeFile(at('longer'), formatNote({ text, signatures: [signText(log, text)] }));
    const refused = await as('reviewer', 'evidence', 'p-1', '--checkpoint', at('longer'), '--out', at('no'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('fewer than the 999') });
    const { stdout } = await verify(at('p-1.json'), '--checkpoint', at('longer'));
    expect(stdout).toMatch(/first 999 records that .*longer covers: it had \d when this file was made/);
  });

  it('I-10: proves nothing by a key that only the file names', async () => {
    const { code, stdout } = await runHere(['verify', at('p-1.json')]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('Proved:');
    expect(stdout).toMatch(/signed with a key that only this file names\..* check with it \(--log-key\)/);
  });

  it.each<readonly [string, Change, string]>([
    [
      'a summary with another state',
      ({ summary }) => ({ summary: { ...summary, state: 'rejected' } }),
      'The summary is not what the records say: it says "rejected"',
    ],
    [
      'a summary without the rejection',
      ({ summary }) => ({
        summary: { ...summary, steps: summary.steps.filter(({ what }) => what !== 'rejected') },
      }),
      'they have rejected by bob',
    ],
    ['a changed amount', amount, '(proposed, agent) was changed after it was sealed'],
    [
      'a changed amount, sealed again',
      again(amount),
      'The proof of the record at seq 3 does not show that it is in the log',
    ],
    ['another approver', approver, '(fulfilled, mallory) was changed after it was sealed'],
    ['another approver, sealed again', again(approver), 'The proof of the record at seq 5 does not show'],
    ['a removed rejection', without('rejected'), 'Record 2 of "main/proposal/p-1" is missing'],
    [
      'a removed rejection, sealed again',
      again(without('rejected')),
      'Record 2 of "main/proposal/p-1" is missing',
    ],
    ['a removed end', without('answered'), 'The summary is not what the records say'],
    [
      'a record at another place',
      ({ records }) => ({
        records: records.map((entry, index) => (index === 4 ? { ...entry, seq: 99 } : entry)),
      }),
      'The proof of the record at seq 99',
    ],
    [
      'the proof of another record',
      ({ records }) => ({
        records: records.map((entry, index) =>
          index === 1 && records[2]?.inclusion ? { ...entry, inclusion: records[2].inclusion } : entry,
        ),
      }),
      'The proof of the record at seq 3',
    ],
    [
      'the checkpoint of another log',
      withNote('other.example/log', (text) => [signText(makeSignerKey('other.example/log'), text)]),
      'The checkpoint is that of the log "other.example/log"',
    ],
    [
      'a checkpoint signed with another key',
      withNote('proffer.example/log', (text) => [signText(thief, text)]),
      'None of the keys that you have of the log',
    ],
    [
      'a false signature of the log',
      withNote('proffer.example/log', (text) => [{ ...signText(thief, text), id: log.verifier.id }]),
      'is not from the key that it names',
    ],
    [
      'a false signature of a witness',
      withNote('proffer.example/log', (text) => [
        signText(log, text),
        { ...cosignText(makeSignerKey('witness.example', 4), text, 0), id: witness.verifier.id },
      ]),
      'is not from the key that it names',
    ],
    [
      'a record without its proof, before one that has its own',
      ({ records }) => ({
        records: records.map(({ inclusion, ...entry }, index) =>
          index === 2 || inclusion === undefined ? entry : { ...entry, inclusion },
        ),
      }),
      'has no proof, although the log has a later one',
    ],
    [
      'a definition that nothing rests on',
      ({ records }) => ({
        records: records.map((entry, index) =>
          index === 0 ? { ...entry, record: { ...entry.record, stream: 'main/participant/mallory' } } : entry,
        ),
      }),
      'and nothing rests on it',
    ],
    [
      'records of another proposal',
      () => ({ about: { space: 'main', proposal: 'p-2' } }),
      'The file has no record about "main/proposal/p-2"',
    ],
  ])('I-10: finds %s, although the key of the log signed the file', async (_, edit, sentence) => {
    const statement = statementIn(envelope);
    const predicate = { ...statement.predicate, ...edit(statement.predicate) };
    const { code, stdout } = await verify(await forged({ ...statement, predicate }, [log]));
    expect(stdout).toContain(sentence);
    expect(code).toBe(1);
  });

  it('I-10: finds a file that was changed without the key, and one that another key signed', async () => {
    const statement = statementIn(envelope);
    const made = { at: '2020-01-01T00:00:00.000Z', version: '0' };
    const changed = { ...statement, predicate: { ...statement.predicate, made } };
    const pretended: SignerKey = { ...thief, verifier: log.verifier };
    const { code, stdout } = await verify(await forged(changed, [pretended]));
    expect(code).toBe(1);
    expect(stdout).toContain('over the file is false');
    const foreign = await verify(await forged(changed, [thief]));
    expect(foreign.stdout).toContain('its key is not known');
    expect(foreign.stdout).not.toContain('The file is as');
    expect((await verify(await forged(changed, []))).stdout).toContain('Nobody signed the file itself');
  });

  it('I-10: takes nothing for right that none of the given keys signed', async () => {
    const stranger = formatVerifierKey(makeSignerKey('other.example/log').verifier);
    const foreign = await runHere(['verify', at('p-1.json'), '--log-key', stranger]);
    expect(foreign.code).toBe(1);
    expect(foreign.stdout).toContain(
      'None of the keys that you have (other.example/log) signed the checkpoint',
    );
    await writeFile(at('empty.keys'), '\n');
    const empty = await runHere(['verify', at('p-1.json'), '--log-key', at('empty.keys')]);
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('has no key') });
    const { log: _log, ...bare } = statementIn(envelope).predicate;
    const records = bare.records.map(({ inclusion: _inclusion, ...entry }) => entry);
    const stripped = { ...statementIn(envelope), predicate: { ...bare, records } };
    expect(await verify(await forged(stripped, []))).toMatchObject({ code: 1 });
  });

  it.each<readonly [string, Change]>([
    [
      'all of them',
      ({ records }) => ({ records: records.map(({ inclusion: _inclusion, ...entry }) => entry) }),
    ],
    [
      'the last one',
      ({ records }) => ({
        records: records.map(({ inclusion, ...entry }, index) =>
          index === records.length - 1 || inclusion === undefined ? entry : { ...entry, inclusion },
        ),
      }),
    ],
  ])(
    'I-10: takes records that are in no log only from a file that a given key signed: %s',
    async (_, edit) => {
      const statement = statementIn(envelope);
      const invented = { ...statement, predicate: { ...statement.predicate, ...edit(statement.predicate) } };
      for (const signers of [[], [thief]]) {
        const { code, stdout } = await verify(await forged(invented, signers));
        expect(stdout).toContain('anybody could have added');
        expect(code).toBe(1);
      }
      const { code, stdout } = await verify(await forged(invented, [log]));
      expect(stdout).toContain('without a proof: made after the last signed checkpoint');
      expect(code).toBe(0);
    },
  );

  it('I-10: shows what is missing of that on which a decision rests', async () => {
    const statement = statementIn(envelope);
    const records = statement.predicate.records.slice(1);
    const { stdout } = await verify(
      await forged({ ...statement, predicate: { ...statement.predicate, records } }, [log]),
    );
    expect(stdout).toContain('The file does not show "what tools announced"');
  });

  it('names in a file move no cursor, and beside what is wrong nothing counts as proved', async () => {
    const named = change('fulfilled', (record) => ({ ...record, principal: '\u001b[2Jmallory\nProved' }));
    const statement = statementIn(envelope);
    const predicate = { ...statement.predicate, ...named(statement.predicate) };
    const { code, stdout } = await verify(await forged({ ...statement, predicate }, [log]));
    expect(code).toBe(1);
    expect(stdout).not.toContain('\u001b[2J');
    expect(stdout).not.toMatch(/^Proved/m);
  });

  it('finds another subject', async () => {
    const statement = statementIn(envelope);
    const subject = [{ name: 'main/proposal/p-1', digest: { sha256: '0'.repeat(64) } }];
    const { code, stdout } = await verify(await forged({ ...statement, subject }, [log]));
    expect(code).toBe(1);
    expect(stdout).toContain('The subject of the statement is not the last record');
  });

  it('names a witness that saw it, and one that did not', async () => {
    const statement = statementIn(envelope);
    expect((await verify(at('p-1.json'))).stdout).toContain('Whether the witness "witness.example" saw this');
    const edit = withNote('proffer.example/log', (text) => [
      signText(log, text),
      cosignText(witness, text, Date.UTC(2026, 0, 2)),
    ]);
    const predicate = { ...statement.predicate, ...edit(statement.predicate) };
    const { stdout } = await verify(await forged({ ...statement, predicate }, [log]));
    expect(stdout).toContain('proffer.example/log and witness.example (2026-01-02T00:00:00.000Z) signed');
    expect(stdout).not.toContain('Nobody can know');
  });

  it('proves that the log continues a checkpoint that was kept, or says that it does not', async () => {
    const { stdout: note } = await as('reviewer', 'checkpoint');
    await writeFile(at('kept.checkpoint'), note);
    await as('agent', 'propose', 'pay', '--arg', 'amount=8', '--id', 'p-3', '--no-wait');
    await as('reviewer', 'evidence', 'p-1', '--out', at('later.json'));
    const without = await verify(at('later.json'), '--checkpoint', at('kept.checkpoint'));
    expect(without.stdout).toContain('the file has no proof of it');
    const line = ['evidence', 'p-1', '--out', at('later.json'), '--checkpoint', at('kept.checkpoint')];
    await as('reviewer', ...line);
    const { code, stdout } = await verify(at('later.json'), '--checkpoint', at('kept.checkpoint'));
    expect(code).toBe(0);
    expect(stdout).toContain('The log continues the first');
    expect(stdout).not.toContain('rewrote');
    await as('reviewer', 'evidence', 'p-3', '--out', at('p-3.json'), '--checkpoint', at('kept.checkpoint'));
    const later = await verify(at('p-3.json'), '--checkpoint', at('kept.checkpoint'));
    expect(later.stdout).toContain('rewrote what came after your checkpoint, one of these records included');
    const [, size = ''] = note.split('\n');
    const other = checkpointText('proffer.example/log', { size: Number(size), root: new Uint8Array(32) });
    await writeFile(at('kept.checkpoint'), formatNote({ text: other, signatures: [signText(log, other)] }));
    const wrong = await verify(at('later.json'), '--checkpoint', at('kept.checkpoint'));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('The log does not begin with the first');
  });

  it('shows everything since a time, and what is left out', async () => {
    const line = ['evidence', '--since', '1h', '--out', at('since.json')];
    expect(await as('reviewer', ...line)).toMatchObject({ code: 0 });
    const { code, stdout } = await verify(at('since.json'));
    expect(code).toBe(0);
    expect(stdout).toContain('none between them is left out');
    expect(await as('reviewer', 'evidence')).toMatchObject({ code: 2 });
  });

  it('N-29: shows a negotiation with its receipt, and finds a receipt of something else', async () => {
    const session = await openSession({ url });
    await session.propose('o-1', 'An offer', { summary: '100', sender: 'seller' });
    await session.accept('o-1');
    await session.accept('o-1', { sender: 'seller' });
    await session.commit({ action: 'contract.agreed', authorityScope: 'procurement', reason: 'both agree' });
    const file = at('session.json');
    expect(await as('buyer', 'evidence', session.sessionId, '--out', file)).toMatchObject({ code: 0 });
    const { code, stdout } = await verify(file);
    expect(code).toBe(0);
    expect(stdout).toContain(`${session.sessionId}: RESOLVED`);
    expect(stdout).toMatch(
      /Proved:[^]*The receipt of the session says what its Commitment says, and is signed/,
    );
    const statement = statementIn(JSON.parse(await readFile(file, 'utf8')) as DsseEnvelope);
    const { receipt = '' } = statement.predicate;
    for (const [from, to, sentence] of [
      ['both agree', 'nobody agrees', 'does not say what the Commitment says'],
      ['"issuer":"runtime:', '"issuer":"other:', 'under the receipt is false'],
    ] as const) {
      const predicate = { ...statement.predicate, receipt: receipt.replace(from, to) };
      const found = await verify(await forged({ ...statement, predicate }, [log]));
      expect(found.code).toBe(1);
      expect(found.stdout).toContain(sentence);
    }
    await session.close();
  });

  it('makes the same file from a folder, and says if nothing is signed', async () => {
    await writeFile(
      at('proffer.yaml'),
      `dev: true\njournal: { path: ${JSON.stringify(data())} }\nevidence: { key: ${JSON.stringify(at('log.key'))} }\n`,
    );
    const configured = ['evidence', 'p-1', '--config', at('proffer.yaml'), '--out', at('offline.json')];
    const made = await runHere(configured);
    expect(made.code).toBe(0);
    expect(made.stderr).toMatch(/ verify \S+offline\.json --log-key KEYS [^]*KEYS is .* checkpoint --keys/);
    const { code, stdout } = await verify(at('offline.json'));
    expect(code).toBe(0);
    expect(stdout).toContain('These 5 records are among the first');
    expect(stdout).not.toContain('of the configuration');
    const here = await runHere(['verify', at('offline.json'), '--config', at('proffer.yaml')]);
    expect(here.stdout).toMatch(/Checked with the keys of the configuration[^]*Proved:/);

    const bare = ['evidence', 'p-1', '--data', data(), '--out', at('bare.json')];
    const unproved = await runHere(bare);
    expect(unproved.code).toBe(0);
    expect(unproved.stderr).toContain(' verify ');
    expect(unproved.stderr).not.toContain('KEYS');
    const unsigned = await runHere(['verify', at('bare.json')]);
    expect(unsigned.code).toBe(0);
    expect(unsigned.stdout).not.toContain('Proved:');
    expect(unsigned.stdout).toContain('the file has no proof from a signed log');
    const asked = await verify(at('bare.json'));
    expect(asked.code).toBe(1);
    expect(asked.stdout).toContain('none of your keys and checkpoints is in it');
  });

  it('I-10: writes a page that verify reads, too, and says if somebody changed how the page checks', async () => {
    const file = at('p-1.html');
    expect(await as('reviewer', 'evidence', 'p-1', '--html', '--out', file)).toMatchObject({ code: 0 });
    const { code, stdout } = await verify(file);
    expect(code).toBe(0);
    expect(stdout).toContain('The file is as proffer.example/log made and signed it');
    expect(stdout).not.toContain('does not write such a page');
    const page = await readFile(file, 'utf8');
    await writeFile(file, page.replace('is not what it claims', 'is what it claims'));
    expect((await verify(file)).stdout).toContain('this version does not write such a page');
  });

  describe('in COSE', () => {
    const scitt = async (edit: (statement: EvidenceStatement) => EvidenceStatement, signer: SignerKey) => {
      const file = at('forged.cose');
      const made = signCoseStatement(edit(statementIn(envelope)), signer);
      await writeFile(file, Buffer.from(made.cose, 'base64'));
      return await verify(file);
    };

    it('I-10: has a receipt of the log over all records (RFC 9942)', async () => {
      await as('reviewer', 'checkpoint');
      const { stdout: note } = await as('reviewer', 'checkpoint');
      await writeFile(at('cose.checkpoint'), note);
      await as('agent', 'propose', 'pay', '--arg', 'amount=9', '--id', 'p-4', '--no-wait');
      const file = at('p-1.cose');
      const kept = ['--checkpoint', at('cose.checkpoint')];
      expect(await as('reviewer', 'evidence', 'p-1', '--scitt', '--out', file, ...kept)).toMatchObject({
        code: 0,
      });
      const { code, stdout } = await verify(file, ...kept);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /Proved:[^]*A receipt of proffer\.example\/log says that these records are in its log/,
      );
      expect(stdout).toContain('A receipt of proffer.example/log says that its log continues what was kept');
      const { stdout: unproved } = await runHere(['verify', file]);
      expect(unproved).not.toContain('Proved:');
    });

    it('I-10: finds what was changed in it, receipts of something else, and false signatures', async () => {
      expect(await scitt((statement) => statement, log)).toMatchObject({ code: 0 });
      const approved = await scitt(
        ({ predicate, ...statement }) => ({
          ...statement,
          predicate: { ...predicate, ...again(approver)(predicate) },
        }),
        log,
      );
      expect(approved.stdout).toContain('The proof of the record at seq 5 does not show');
      const pretended = await scitt((statement) => statement, { ...thief, verifier: log.verifier });
      expect(pretended.stdout).toContain('over the file is false');
      expect(pretended.stdout).toContain('under a receipt is false');
      expect(await scitt((statement) => statement, thief)).toMatchObject({ code: 0 });

      const file = at('p-1.cose');
      const whole = await readFile(file);
      const swapped = Buffer.from(whole);
      const receipts = readScitt(whole);
      if (typeof receipts === 'string') throw new Error(receipts);
      const [receipt] = receipts.receipts ?? [];
      const place = swapped.indexOf(Buffer.from(receipt?.signature ?? []));
      swapped.writeUInt8((swapped[place] ?? 0) ^ 1, place);
      await writeFile(file, swapped);
      const { code, stdout } = await verify(file);
      expect(code).toBe(1);
      expect(stdout).toContain('under a receipt is false');
      for (const end of [10, 100, whole.length - 1]) {
        await writeFile(file, whole.subarray(0, end));
        expect(await verify(file)).toMatchObject({ code: 2 });
      }
    });

    it('needs a key', async () => {
      const line = ['evidence', 'p-1', '--data', data(), '--scitt', '--out', at('none.cose')];
      const { code, stderr } = await runHere(line);
      expect(code).toBe(2);
      expect(stderr).toContain('A COSE file needs the key of a signed log');
    });
  });

  it.each([
    ['{"a":', 'It is not JSON'],
    [
      JSON.stringify({ payloadType: 'x', payload: 'QUJD'.repeat(6_000_000), signatures: [] }),
      'Its payload is "x"',
    ],
    ['{}', 'not a DSSE envelope'],
    ['{"payloadType":"text/plain","payload":"YQ==","signatures":[]}', 'not an in-toto statement'],
    [
      '{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[]}',
      'not a statement of the type',
    ],
  ])('does not take %.80s for evidence', async (text, sentence) => {
    await writeFile(at('odd.json'), text);
    const { code, stderr } = await verify(at('odd.json'));
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
