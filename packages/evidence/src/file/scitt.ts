import { canonicalJson } from '@proffer/core/json';
import { encode } from 'cborg';
import { utf8 } from '../notes/bytes.js';
import { parseCheckpoint } from '../notes/checkpoint.js';
import { type CborMap, COSE, type CoseSign1, coseSign1, EDDSA, mapOf, readCoseSign1 } from './cose.js';
import { hashesInBase64 } from './hashes.js';
import { type EvidenceFile, readPayload } from './read-statement.js';
import { type EvidenceStatement, STATEMENT_PAYLOAD } from './statement.js';

/** Whoever signs: its name, and its signature over bytes. */
export interface CoseSigner {
  readonly keyid: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** What a receipt proves of a tree (RFC 9942): the root itself is not in it. */
export interface CoseReceipt {
  readonly keyid: string;
  readonly signature: Uint8Array;
  readonly over: (root: Uint8Array) => Uint8Array;
  /** Canonical CBOR of the proofs, by their kind. */
  readonly proofs: CborMap;
}

/** The tree of RFC 9162 with SHA-256, and the kinds of proofs of it. */
const RFC9162_SHA256 = 1;
export const PROOFS = { inclusion: -1, consistency: -2 } as const;

/**
 * A statement as a COSE message (RFC 9052, RFC 9943), with receipts (RFC 9942) of the log: that it has the records of the
 * statement, in their order, and that it continues what others kept. The entries of the log are the records, not the
 * statement.
 */
export function signScitt(statement: EvidenceStatement, signer: CoseSigner): Uint8Array {
  const { log } = statement.predicate;
  const checkpoint = parseCheckpoint(log?.checkpoint ?? '');
  const claims = new Map([
    [1, checkpoint?.origin ?? signer.keyid],
    [2, statement.subject[0]?.name ?? ''],
  ]);
  const header = new Map<number, unknown>([
    [COSE.alg, EDDSA],
    [COSE.contentType, STATEMENT_PAYLOAD],
    [COSE.kid, utf8(signer.keyid)],
    [COSE.claims, claims],
  ]);
  const root = checkpoint?.root ?? new Uint8Array();
  const receipts = [...receiptProofs(statement)].map(([kind, proofs]) =>
    coseSign1(
      {
        header: new Map<number, unknown>([
          [COSE.alg, EDDSA],
          [COSE.kid, utf8(signer.keyid)],
          [COSE.claims, claims],
          [COSE.vds, RFC9162_SHA256],
        ]),
        unprotected: new Map([[COSE.vdp, new Map([[kind, proofs]])]]),
        payload: root,
        isDetached: true,
      },
      signer.sign,
    ),
  );
  const unprotected = new Map(receipts.length === 0 ? [] : [[COSE.receipts, receipts]]);
  return coseSign1({ header, unprotected, payload: utf8(canonicalJson(statement)) }, signer.sign);
}

/** The proofs of a statement as receipts have them, by their kind; kinds without proofs are left out. */
export function receiptProofs({ predicate }: EvidenceStatement): ReadonlyMap<number, readonly Uint8Array[]> {
  const { records, log } = predicate;
  const size = parseCheckpoint(log?.checkpoint ?? '')?.size ?? 0;
  const inclusion = records.flatMap(({ inclusion: found }) =>
    found === undefined ? [] : [encode([size, found.index, hashesInBase64(found.hashes) ?? []])],
  );
  const consistency = (log?.consistency ?? []).map(({ size: earlier, hashes }) =>
    encode([earlier, size, hashesInBase64(hashes) ?? []]),
  );
  const all: readonly (readonly [number, readonly Uint8Array[]])[] = [
    [PROOFS.inclusion, inclusion],
    [PROOFS.consistency, consistency],
  ];
  return new Map(all.filter(([, proofs]) => proofs.length > 0));
}

/** Reads an evidence file in COSE; a sentence that says why not if it is none. */
export function readScitt(bytes: Uint8Array): EvidenceFile | string {
  const message = readCoseSign1(bytes);
  if (message?.payload === undefined) return 'It is not a COSE message with a payload.';
  const { header, unprotected, payload } = message;
  if (header.get(COSE.contentType) !== STATEMENT_PAYLOAD)
    return `Its payload is not an in-toto statement (${STATEMENT_PAYLOAD}).`;
  if (header.get(COSE.alg) !== EDDSA) return 'It is not signed with EdDSA.';
  const statement = readPayload(payload);
  if (typeof statement === 'string') return statement;
  const receipts = listed(unprotected.get(COSE.receipts)).map(readReceipt);
  if (!receipts.every((receipt) => receipt !== undefined)) return 'One of its receipts is none (RFC 9942).';
  const { signature, over } = message;
  return { signatures: [{ keyid: keyidOf(message), signature, over: over(payload) }], statement, receipts };
}

function readReceipt(bytes: unknown): CoseReceipt | undefined {
  const message = bytes instanceof Uint8Array ? readCoseSign1(bytes) : undefined;
  if (message === undefined || message.payload !== undefined) return undefined;
  const { header, unprotected, signature, over } = message;
  if (header.get(COSE.alg) !== EDDSA || header.get(COSE.vds) !== RFC9162_SHA256) return undefined;
  return { keyid: keyidOf(message), signature, over, proofs: mapOf(unprotected.get(COSE.vdp)) };
}

function keyidOf({ header }: Pick<CoseSign1, 'header'>): string {
  const kid = header.get(COSE.kid);
  return kid instanceof Uint8Array ? new TextDecoder().decode(kid) : '';
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
