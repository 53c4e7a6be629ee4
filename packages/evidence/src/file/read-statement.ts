import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  objectsIn,
  parseJson,
  textOf,
  textsIn,
} from '@proffer/core/json';
import { parseRecord } from '@proffer/core/records';
import { fromBase64 } from '../notes/bytes.js';
import { dsseBytes, readDsse } from './dsse.js';
import type { CoseReceipt } from './scitt.js';
import {
  EVIDENCE_TYPE,
  type EvidenceAbout,
  type EvidenceEntry,
  type EvidenceLog,
  type EvidenceStatement,
  MAX_EVIDENCE,
  STATEMENT_PAYLOAD,
  STATEMENT_TYPE,
} from './statement.js';

/** An evidence file, parsed; nothing in it is checked. */
export interface EvidenceFile {
  readonly signatures: readonly FileSignature[];
  readonly statement: EvidenceStatement;
  /** What COSE files have besides. */
  readonly receipts?: readonly CoseReceipt[];
}

/** A signature over a whole file, whose it claims to be, and what it covers. */
export interface FileSignature {
  readonly keyid: string;
  /** `undefined` if it is not one. */
  readonly signature: Uint8Array | undefined;
  readonly over: Uint8Array;
}

/** Larger files are not read; a file is limited to some thousand records. */
const LIMITS = { maxBytes: 512 * 1_048_576, maxDepth: 96 } as const;

/** Parses an evidence file in JSON; a sentence that says why not if it is none. */
export function readEvidence(text: string): EvidenceFile | string {
  const parsed = parseJson(text, LIMITS);
  if (!parsed.ok) return `It is not JSON: ${parsed.refusal.message}`;
  const envelope = readDsse(parsed.value);
  if (envelope === undefined) return 'It is not a DSSE envelope.';
  const { payloadType, payload, signatures } = envelope;
  if (payloadType !== STATEMENT_PAYLOAD)
    return `Its payload is ${JSON.stringify(payloadType)}, not an in-toto statement.`;
  const statement = readPayload(payload);
  if (typeof statement === 'string') return statement;
  const over = dsseBytes(payloadType, payload);
  return {
    signatures: signatures.map(({ keyid, sig }) => ({ keyid, signature: fromBase64(sig), over })),
    statement,
  };
}

/** Parses what is signed: a statement; a sentence that says why not if it is none. */
export function readPayload(bytes: Uint8Array): EvidenceStatement | string {
  const text = textIn(bytes);
  if (text === undefined) return 'Its payload is not text.';
  const payload = parseJson(text, LIMITS);
  if (!payload.ok) return `Its payload is not JSON: ${payload.refusal.message}`;
  const many = listOf(objectOf(objectOf(payload.value)['predicate'])['records']).length;
  if (many > MAX_EVIDENCE) return `It has ${many} records, and one file shows at most ${MAX_EVIDENCE}.`;
  return readStatement(payload.value) ?? `Its payload is not a statement of the type ${EVIDENCE_TYPE}.`;
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readStatement(value: JsonValue): EvidenceStatement | undefined {
  if (!isJsonObject(value)) return undefined;
  if (value['_type'] !== STATEMENT_TYPE || value['predicateType'] !== EVIDENCE_TYPE) return undefined;
  const predicate = objectOf(value['predicate']);
  const about = readAbout(objectOf(predicate['about']));
  const records = objectsIn(predicate['records']).map(readEntry);
  const { log, receipt, summary, made } = predicate;
  const steps = objectsIn(objectOf(summary)['steps']);
  if (about === undefined || records.length !== listOf(predicate['records']).length) return undefined;
  if (!records.every((entry) => entry !== undefined)) return undefined;
  return {
    _type: STATEMENT_TYPE,
    subject: objectsIn(value['subject']).map(({ name, digest }) => ({
      name: textOf(name),
      digest: { sha256: textOf(objectOf(digest)['sha256']) },
    })),
    predicateType: EVIDENCE_TYPE,
    predicate: {
      about,
      made: { at: textOf(objectOf(made)['at']), version: textOf(objectOf(made)['version']) },
      summary: { ...objectOf(summary), steps } as EvidenceStatement['predicate']['summary'],
      records,
      ...(isJsonObject(log) ? { log: readLog(log) } : {}),
      ...(typeof receipt === 'string' ? { receipt } : {}),
    },
  };
}

function readAbout({ space, proposal, session, since }: JsonObject): EvidenceAbout | undefined {
  if (typeof session === 'string') return { session };
  if (typeof space !== 'string') return undefined;
  if (typeof proposal === 'string') return { space, proposal };
  return typeof since === 'number' ? { space, since } : undefined;
}

function readEntry({ seq, record, inclusion }: JsonObject): EvidenceEntry | undefined {
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) return undefined;
  if (!isJsonObject(record) || !parseRecord(record, true).ok) return undefined;
  if (!isJsonObject(inclusion)) return { seq, record };
  const { index, hashes } = inclusion;
  if (typeof index !== 'number' || !Number.isSafeInteger(index)) return undefined;
  return { seq, record, inclusion: { index, hashes: textsIn(hashes) } };
}

function readLog({ checkpoint, keys, witnesses, consistency }: JsonObject): EvidenceLog {
  return {
    checkpoint: textOf(checkpoint),
    keys: textsIn(keys),
    witnesses: textsIn(witnesses),
    consistency: objectsIn(consistency).map(({ size, hashes }) => ({
      size: typeof size === 'number' ? size : 0,
      hashes: textsIn(hashes),
    })),
  };
}
