import { refuse } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';
import { entryBundle, formatNote, formatVerifierKey, parseTilePath } from '@proffer/evidence';
import { ENTRY_BYTES, TILE_WIDTH } from '@proffer/journal/tree';
import { bearerToken } from '../../door/index.js';
import type { JournalLog } from '../../evidence/index.js';
import type { SpaceAdmission } from '../../operations/index.js';
import type { EVIDENCE_OPERATIONS } from './openapi/own.js';
import { replyJson, replyText } from './reply.js';
import { type HttpCall, type HttpHandler, type HttpRoute, routesOf } from './router.js';

export interface EvidenceRoutesOptions {
  readonly admission: Pick<SpaceAdmission, 'identify'>;
  /** The signed log, once it is open; `undefined` if none is configured. */
  readonly evidence: () => JournalLog | undefined;
  /** Whether reading needs no token. */
  readonly isPublic: boolean;
}

/** The signed log, at the addresses of tlog-tiles, and proofs for those who do not compute them from tiles. */
export function evidenceRoutes(options: EvidenceRoutesOptions): readonly HttpRoute[] {
  const { admission, evidence } = options;
  const withLog =
    (isOpen: boolean, handle: (call: HttpCall, log: JournalLog) => Promise<void> | void): HttpHandler =>
    async (call) => {
      if (!isOpen) {
        const identified = await admission.identify(bearerToken(call.request.headers.authorization));
        if (!identified.ok) return call.refuse(identified.refusal);
        call.onAdmitted();
      }
      const log = evidence();
      if (log === undefined) return call.refuse(refuse('no_log', 'This gateway has no signed log.'));
      await handle(call, log);
    };
  const read = (handle: (call: HttpCall, log: JournalLog) => Promise<void> | void): HttpHandler =>
    withLog(options.isPublic, handle);
  const handlers: Readonly<Record<keyof typeof EVIDENCE_OPERATIONS, HttpHandler>> = {
    'GET /checkpoint': read(({ response }, log) =>
      replyText(response, 200, NOTE, formatNote(log.latest().note)),
    ),
    'POST /checkpoint': withLog(false, async ({ response }, log) =>
      replyJson(response, 200, {
        checkpoint: formatNote((await log.witnessedCheckpoint()).note),
        keys: log.keys.map(formatVerifierKey),
      }),
    ),
    'GET /checkpoint/keys': read(({ response }, { keys, witnesses, witnessed }) =>
      replyJson(response, 200, {
        keys: keys.map(formatVerifierKey),
        witnesses,
        ...defined({ witnessed: witnessed() }),
      }),
    ),
    'GET /tile/{*path}': read(answerTile),
    'GET /proof/inclusion': read(answerInclusion),
    'GET /proof/consistency': read(answerConsistency),
  };
  return routesOf(handlers);
}

const NOTE = 'text/plain; charset=utf-8';

async function answerTile(call: HttpCall, { tree, latest }: JournalLog): Promise<void> {
  const [path = ''] = call.values;
  const isEntries = path.startsWith('entries/');
  const tile = parseTilePath(`tile/${isEntries ? `0/${path.slice('entries/'.length)}` : path}`);
  const { size } = latest();
  // Only what the last checkpoint covers.
  const isSigned =
    tile !== undefined && (tile.index * TILE_WIDTH + tile.width) * TILE_WIDTH ** tile.level <= size;
  const bytes = isSigned
    ? isEntries
      ? entryBundle((await tree.entries(tile.index)).subarray(0, tile.width * ENTRY_BYTES))
      : await tree.tile(tile)
    : undefined;
  if (bytes === undefined)
    return call.refuse(refuse('unknown_route', `The log has no tile ${path}.`, { path }));
  call.response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': bytes.length,
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  call.response.end(bytes);
}

async function answerInclusion(call: HttpCall, { tree, latest }: JournalLog): Promise<void> {
  const checkpoint = latest();
  const seq = numberIn(call.query, 'seq', 0);
  if (seq === undefined) return call.refuse(notANumber('seq'));
  const found = await tree.proveInclusion(seq, checkpoint.size);
  if (found === undefined) {
    const what = `The last checkpoint does not cover a record with the seq ${seq}.`;
    return call.refuse(refuse('not_in_log', what, { seq, size: checkpoint.size }));
  }
  const { index, proof } = found;
  replyJson(call.response, 200, {
    seq,
    index,
    ...proved(checkpoint.size, proof),
    checkpoint: formatNote(checkpoint.note),
  });
}

async function answerConsistency(call: HttpCall, { tree, latest }: JournalLog): Promise<void> {
  const { size, note } = latest();
  const from = numberIn(call.query, 'from', 0);
  const to = numberIn(call.query, 'to', size);
  if (from === undefined) return call.refuse(notANumber('from'));
  if (to === undefined) return call.refuse(notANumber('to'));
  if (from > to || to > size) {
    const what = `The log has ${size} records in its last checkpoint: ask for from and to up to that, in order.`;
    return call.refuse(refuse('not_in_log', what, { from, to, size }));
  }
  const proof = await tree.proveConsistency(from, to);
  replyJson(call.response, 200, { from, ...proved(to, proof), checkpoint: formatNote(note) });
}

const proved = (size: number, proof: readonly Uint8Array[]): JsonObject => ({
  size,
  hashes: proof.map((hash) => Buffer.from(hash).toString('base64')),
});

/** A number in a query; `undefined` if it is none. */
function numberIn(query: URLSearchParams, name: string, otherwise: number): number | undefined {
  const text = query.get(name);
  if (text === null) return otherwise;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const notANumber = (name: string) =>
  refuse('invalid_field', `${name} is not a whole number.`, { field: name });
