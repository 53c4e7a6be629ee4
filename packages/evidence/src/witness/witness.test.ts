import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTreeMemory } from '@proffer/journal/tree';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TreeKeeper } from '../log/tree-keeper.js';
import { createWitness, makeSignerKey, signText, treeHashes, verifyEd25519 } from '../node/index.js';
import { type Checkpoint, checkpointText, type TreeState } from '../notes/checkpoint.js';
import { SIGNATURE_TYPES } from '../notes/signed-note.js';
import {
  type AddCheckpoint,
  formatAddCheckpoint,
  judgeCheckpoint,
  parseAddCheckpoint,
} from './add-checkpoint.js';

const key = makeSignerKey('log.example/a');
const stranger = makeSignerKey('log.example/a');
let tree: TreeKeeper;
let seq: number;
beforeEach(async () => {
  tree = await TreeKeeper.open(createTreeMemory(), treeHashes);
  seq = 0;
});

function grow(count: number, hash = 'ab'): TreeState {
  for (let at = 0; at < count; at++) tree.add([{ seq: ++seq, hash: hash.repeat(32) }]);
  return tree.state();
}

function signed(state: TreeState, signer = key): Checkpoint {
  const text = checkpointText(signer.verifier.name, state);
  return { origin: signer.verifier.name, ...state, note: { text, signatures: [signText(signer, text)] } };
}

async function judge(asked: AddCheckpoint, known: TreeState | undefined): Promise<number> {
  const parsed = parseAddCheckpoint(formatAddCheckpoint(asked));
  if (parsed === undefined) throw new Error('The request cannot be parsed.');
  const { status } = await judgeCheckpoint(parsed, {
    logs: [key.verifier],
    known,
    hashes: treeHashes,
    verify: verifyEd25519,
  });
  return status;
}

describe('a witness', () => {
  it('signs the first checkpoint, the same again, and each that continues it', async () => {
    const first = grow(3);
    expect(await judge({ old: 0, proof: [], checkpoint: signed(first) }, undefined)).toBe(200);
    expect(await judge({ old: 3, proof: [], checkpoint: signed(first) }, first)).toBe(200);
    const second = grow(600);
    const proof = await tree.proveConsistency(3, 603);
    expect(await judge({ old: 3, proof, checkpoint: signed(second) }, first)).toBe(200);
  });

  it('never signs what does not continue what it saw', async () => {
    const first = grow(5);
    tree = await TreeKeeper.open(createTreeMemory(), treeHashes);
    seq = 0;
    const rewritten = grow(9, 'cd');
    const proof = await tree.proveConsistency(5, 9);
    expect(await judge({ old: 5, proof, checkpoint: signed(rewritten) }, first)).toBe(422);
    expect(await judge({ old: 0, proof: [], checkpoint: signed(rewritten) }, first)).toBe(409);
    const same = { size: 5, root: rewritten.root };
    expect(await judge({ old: 5, proof: [], checkpoint: signed(same) }, first)).toBe(409);
    expect(await judge({ old: 9, proof: [], checkpoint: signed(first) }, rewritten)).toBe(400);
  });

  it('signs for no log that it does not know, and for none whose signature is false', async () => {
    const state = grow(1);
    expect(await judge({ old: 0, proof: [], checkpoint: signed(state, stranger) }, undefined)).toBe(403);
    const other = makeSignerKey('log.example/b');
    expect(await judge({ old: 0, proof: [], checkpoint: signed(state, other) }, undefined)).toBe(404);
  });

  it('reads nothing but a request', () => {
    const request = formatAddCheckpoint({ old: 0, proof: [], checkpoint: signed(grow(1)) });
    expect(parseAddCheckpoint(request)).toBeDefined();
    for (const text of [
      '',
      'old 0\n\n',
      request.replace('old 0', 'old 00'),
      request.replace('\n\n', '\nAAAA\n\n'),
    ])
      expect(parseAddCheckpoint(text)).toBeUndefined();
  });
});

describe('a witness that keeps its state in a folder', () => {
  it('remembers what it signed, and stores nothing that it did not check', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proffer-witness-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const own = makeSignerKey('witness.example', SIGNATURE_TYPES.witness);
    const start = () => createWitness({ folder, key: own, logs: [key.verifier], now: () => 1_000 });
    const checkpoint = signed(grow(3));
    const junk = Array.from({ length: 63 }, () => ({ ...stranger.verifier, signature: new Uint8Array(64) }));
    const { text, signatures } = checkpoint.note;
    const request = formatAddCheckpoint({
      old: 0,
      proof: [],
      checkpoint: { ...checkpoint, note: { text, signatures: [...signatures, ...junk] } },
    });
    expect(await start()(request)).toMatchObject({ status: 200 });
    const again = formatAddCheckpoint({ old: 3, proof: [], checkpoint });
    expect(await start()(again)).toMatchObject({ status: 200 });
    const fork = signed({ size: 3, root: new Uint8Array(32) });
    const answer = await start()(formatAddCheckpoint({ old: 3, proof: [], checkpoint: fork }));
    expect(answer).toMatchObject({ status: 409, body: '3\n', isFork: true });
  });
});
