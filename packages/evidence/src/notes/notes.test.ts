import { describe, expect, it } from 'vitest';
import {
  cosignText,
  formatSignerKey,
  makeSignerKey,
  parseSignerKeys,
  sha256,
  signText,
  verifyEd25519,
} from '../node/index.js';
import { checkpointText, checkSignatures, parseCheckpoint } from './checkpoint.js';
import {
  formatNote,
  formatVerifierKey,
  parseNote,
  parseVerifierKey,
  SIGNATURE_TYPES,
} from './signed-note.js';

const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE_SIGNATURE =
  'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=';
const example = `This is an example message.\n\n— example.com/foo ${EXAMPLE_SIGNATURE}\n`;

describe('a signed note', () => {
  it('is read and checked as its format defines', async () => {
    const key = parseVerifierKey(EXAMPLE_KEY, sha256);
    const note = parseNote(example);
    if (key === undefined || note === undefined) throw new Error('The example could not be read.');
    expect(formatVerifierKey(key)).toBe(EXAMPLE_KEY);
    expect(formatNote(note)).toBe(example);
    expect(await checkSignatures(note, [key], verifyEd25519)).toEqual([{ key }]);
    const changed = { ...note, text: 'This is another message.\n' };
    expect(await checkSignatures(changed, [key], verifyEd25519)).toBeUndefined();
    expect(await checkSignatures(changed, [], verifyEd25519)).toEqual([]);
  });

  it.each([
    ['without signatures', 'text\n'],
    ['without an end', example.slice(0, -1)],
    ['with a control character', example.replace('an', '\u0001')],
    ['with a signature that is not base64', example.replace('Uw2', 'U*2')],
    ['with a signature that has no key', example.replace(EXAMPLE_SIGNATURE, 'AAAA')],
  ])('%s is not one', (_, text) => expect(parseNote(text)).toBeUndefined());

  it('is not checked with a key whose id is of another', () => {
    expect(parseVerifierKey(EXAMPLE_KEY.replace('530d903a', '530d903b'), sha256)).toBeUndefined();
  });
});

describe('a key that signs', () => {
  it('is read as it was written, and only whole', () => {
    const keys = [makeSignerKey('log'), makeSignerKey('log')];
    const text = keys.map((key) => `${formatSignerKey(key)}\n`).join('');
    expect(
      parseSignerKeys(text)
        ?.map((key) => `${formatSignerKey(key)}\n`)
        .join(''),
    ).toBe(text);
    expect(parseSignerKeys(text.slice(0, -6))).toBeUndefined();
    expect(parseSignerKeys('')).toBeUndefined();
  });
});

describe('a checkpoint', () => {
  it("has the log's signature and those of witnesses, with their times", async () => {
    const log = makeSignerKey('proffer.example/log');
    const witness = makeSignerKey('witness.example', SIGNATURE_TYPES.witness);
    const root = sha256(Buffer.from('root'));
    const text = checkpointText('proffer.example/log', { size: 42, root });
    const seconds = 1_679_315_147;
    const note = formatNote({
      text,
      signatures: [signText(log, text), cosignText(witness, text, seconds * 1000 + 999)],
    });
    const checkpoint = parseCheckpoint(note);
    expect(checkpoint).toMatchObject({ origin: 'proffer.example/log', size: 42 });
    if (checkpoint === undefined) return;
    expect(await checkSignatures(checkpoint.note, [log.verifier, witness.verifier], verifyEd25519)).toEqual([
      { key: log.verifier },
      { key: witness.verifier, at: seconds * 1000 },
    ]);
  });

  it.each([
    ['a size with a leading zero', '042', undefined],
    ['no size', '', undefined],
    ['a size that is no integer', '1e3', undefined],
  ])('with %s is not one', (_, size, expected) => {
    const root = Buffer.alloc(32).toString('base64');
    const note = `log\n${size}\n${root}\n\n— log ${EXAMPLE_SIGNATURE}\n`;
    expect(parseCheckpoint(note)).toBe(expected);
  });
});
