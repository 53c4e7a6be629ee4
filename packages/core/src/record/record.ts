import { quote } from '../json/describe.js';
import type { JsonObject } from '../json/json.js';
import type { Salts } from './salted.js';

/** The version of the record format. Every version ever released must replay for ever. */
export const RECORD_SCHEMA = 1;

/** That of records whose values have salts: they are hashed differently ({@link Salts}). */
export const SALTED_SCHEMA = 2;

/**
 * What a decider says has happened: the accepted envelope, and what was decided about it. Data
 * written as JSON is declared with `type`, not `interface`, so that the compiler recognises it as
 * JSON.
 */
export type RecordContent = {
  /** What happened, in the past tense: `proposed`, `fulfilled`, `session_started` … */
  readonly type: string;
  /** When it was accepted, in milliseconds since 1970, on the clock of the gateway that accepted it. */
  readonly time: number;
  /** Who was authenticated and allowed to do it (I-4); the gateway itself is `system:gateway`. */
  readonly principal: string;
  /** The message in canonical form. */
  readonly envelope: JsonObject;
  /** What deciding found out and folding must not recompute. */
  readonly facts?: JsonObject;
  /** By which values can be left out of what is shown to others. Absent: none can be. */
  readonly salts?: Salts;
};

/**
 * The position of a record in its stream. The hash covers everything here and in the content, and with `prev` all
 * records before it; a journal's own position (`seq`) is not covered, because a journal on several machines learns it
 * only after the record is written.
 */
export type Seal = {
  readonly schema: typeof RECORD_SCHEMA | typeof SALTED_SCHEMA;
  readonly stream: string;
  /** 1 for the first record of the stream, then counting up. */
  readonly version: number;
  /** The hash of the record before it in the stream; empty for the first. */
  readonly prev: string;
  /** SHA-256 in hex. */
  readonly hash: string;
};

/** A record as it is written to a journal. */
export type SealedRecord<Content extends RecordContent = RecordContent> = Content &
  Pick<RecordContent, 'salts'> &
  Seal;

/**
 * Stops a fold at something only a newer version can have written: continuing without it would give a
 * different state than the one decided on (I-3).
 *
 * @throws Error always; it names the type
 */
export function throwUnsupported(what: 'record' | 'message' | 'mode', type: string): never {
  throw new Error(
    `This version does not support the ${what} type ${quote(type)}: read the journal with a newer one.`,
  );
}
