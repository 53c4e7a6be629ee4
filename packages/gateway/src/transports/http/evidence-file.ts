import { type Refusal, refuse } from '@proffer/core';
import { reaches } from '@proffer/core/operations';
import {
  type DsseEnvelope,
  type EvidenceAbout,
  type EvidenceRecord,
  gatherRecords,
  hideInRecords,
  isTooMuch,
  MAX_EVIDENCE,
  MAX_EVIDENCE_SIZE,
  makeStatement,
} from '@proffer/evidence';
import { type CoseFile, signStatement } from '@proffer/evidence/node';
import type { Journal, StoredRecord } from '@proffer/journal';
import type { StoredOperation } from '../../delivery/index.js';
import { bearerToken } from '../../door/index.js';
import type { JournalLog } from '../../evidence/index.js';
import type { NegotiationCalls, Negotiations } from '../../negotiation/index.js';
import type { SpaceCaller } from '../../operations/index.js';
import { VERSION } from '../../version.js';
import { refuseParameter } from '../target.js';
import { replyJson, replyRefusal } from './reply.js';
import type { HttpCall } from './router.js';
import { findProposal, refuseUnseen } from './spaces/seen-proposal.js';

export interface EvidenceFileOptions {
  readonly journal: Journal;
  readonly clock: () => number;
  /** The signed log, once it is open; `undefined` if none is configured: then nothing is proved or signed. */
  readonly evidence: () => JournalLog | undefined;
  readonly negotiations: Negotiations;
}

/** `GET /spaces/{space}/proposals/{id}/evidence`: a file that shows others how a proposal was decided. */
export async function proposalEvidence(
  call: HttpCall,
  caller: SpaceCaller,
  options: EvidenceFileOptions,
): Promise<void> {
  const [space = '', id = ''] = call.values;
  if ((await findProposal(caller, id)) === undefined) return call.refuse(refuseUnseen(id));
  await answerInSpace(call, caller, { ...options, about: { space, proposal: id } });
}

/** `GET /spaces/{space}/evidence?since=TIME`: the same for all records since a time. */
export async function spaceEvidence(
  call: HttpCall,
  caller: SpaceCaller,
  options: EvidenceFileOptions,
): Promise<void> {
  const [space = ''] = call.values;
  const asked = call.query.get('since') ?? '';
  if (!/^\d{1,15}$/.test(asked))
    return call.refuse(refuseParameter('since', asked, 'a time in milliseconds since 1970'));
  await answerInSpace(call, caller, { ...options, about: { space, since: Number(asked) } });
}

async function answerInSpace(
  call: HttpCall,
  caller: SpaceCaller,
  options: EvidenceFileOptions & { readonly about: EvidenceAbout },
): Promise<void> {
  const { settings } = caller.liveSpace.host;
  const { name, observer, roles } = caller;
  const subscriber = { name, routing: 'all', observer, roles } as const;
  const may = (record: StoredRecord): boolean => reaches(record as StoredOperation, subscriber, settings);
  const session = (id: string): Promise<readonly StoredRecord[]> =>
    readSession(call, id, options.negotiations);
  const records = await gatherRecords(options.journal, options.about, { may, session });
  const made = await makeFile(call, { ...options, records });
  if ('code' in made) return call.refuse(made);
  replyJson(call.response, 200, made);
}

/** The records of a session, if the caller may read it (N-8). */
async function readSession(
  { request }: HttpCall,
  id: string,
  negotiations: Negotiations,
): Promise<readonly StoredRecord[]> {
  const admitted = await negotiations.admit(bearerToken(request.headers.authorization), 'http');
  const calls = admitted.ok ? admitted.value.checkRightsAndRate() : admitted;
  if (!calls.ok) return [];
  const found = await calls.value.history(id, 0, EVERYTHING);
  return found.ok ? found.value : [];
}

const EVERYTHING = { records: MAX_EVIDENCE + 1, size: MAX_EVIDENCE_SIZE };

/** `GET /macp/session/{id}/evidence`: the same for a negotiation, with its receipt. */
export async function sessionEvidence(
  call: HttpCall,
  calls: NegotiationCalls,
  options: Omit<EvidenceFileOptions, 'negotiations'>,
): Promise<void> {
  const [session = ''] = call.values;
  const found = await calls.history(session, 0, EVERYTHING);
  if (!found.ok) return replyRefusal(call.response, found.refusal);
  const receipt = await calls.receipt(session);
  const made = await makeFile(call, {
    ...options,
    about: { session },
    records: found.value as readonly object[] as readonly EvidenceRecord[],
    receipt: receipt.ok ? receipt.value : undefined,
  });
  if ('code' in made) return replyRefusal(call.response, made);
  replyJson(call.response, 200, made);
}

/** A proof for each; an auditor has a few. */
const MAX_KEPT = 64;

async function makeFile(
  { query }: HttpCall,
  {
    evidence,
    clock,
    about,
    records,
    receipt,
  }: Omit<EvidenceFileOptions, 'negotiations'> & {
    readonly about: EvidenceAbout;
    readonly records: readonly EvidenceRecord[];
    readonly receipt?: string | undefined;
  },
): Promise<DsseEnvelope | CoseFile | Refusal> {
  if (records.length === 0) return refuse('not_in_log', 'There are no records to show.', { size: 0 });
  if (isTooMuch(records)) {
    const what = `These are more than ${MAX_EVIDENCE} records, or more than ${MAX_EVIDENCE_SIZE} characters, which is the most that one file shows.`;
    return refuse('too_much_evidence', what, { limit: MAX_EVIDENCE, size: MAX_EVIDENCE_SIZE });
  }
  const kept = query
    .getAll('kept')
    .filter((size) => /^\d{1,15}$/.test(size))
    .slice(0, MAX_KEPT);
  const shown = hideInRecords(about, records, query.getAll('hide'));
  if (!shown.ok) return shown.refusal;
  const source = { about, records: shown.value, receipt, now: clock(), version: VERSION };
  const log = evidence();
  const form = query.get('form') ?? 'dsse';
  if (form !== 'dsse' && (form !== 'cose' || log === undefined))
    return refuseParameter('form', form, log === undefined ? 'dsse: this log is not signed' : 'dsse or cose');
  return log === undefined
    ? signStatement(await makeStatement(source), [])
    : await log.attest(source, kept.map(Number), form === 'cose');
}
