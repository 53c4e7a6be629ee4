import { correlationIds } from '../../envelope/envelope.js';
import { isProposalRecord } from '../records.js';
import { type JudgedRecord, type JudgeSpaceOptions, judgeSpace, type Misjudged } from './judge-space.js';

/** A record that no rules allow, and where it is. */
export type VisibleFault = Misjudged & { readonly record: JudgedRecord };

/** What deciding again has shown to somebody who does not see everything. */
export interface JudgedVisible {
  /** Records about proposals that were decided again. */
  readonly decided: number;
  /** Records about proposals of which earlier records are not there: nothing can be concluded from them. */
  readonly incomplete: number;
  /** Records that this release cannot read, and what follows them. */
  readonly unreadable: number;
  readonly faults: readonly VisibleFault[];
}

/** Decides again what a participant gets of a space, in its order. */
export interface VisibleJudge {
  /** @param next - the record after it in the same stream, if that comes next */
  judge(record: JudgedRecord, next?: JudgedRecord): void;
  readonly found: JudgedVisible;
}

/**
 * What follows from the records of one proposal, and from nothing else. Whether somebody was allowed to, approvals were
 * paused or an id was taken depends on rules and on records that a participant may not see.
 */
const BY_ITSELF: ReadonlySet<string> = new Set([
  'proposal_not_pending',
  'not_executor',
  'not_proposer',
  'use_withdraw',
  'digest_mismatch',
  'kind_mismatch',
  'unknown_counter',
  'late',
]);

/**
 * Judges what a participant sees of a space, without its rules. Nothing is called wrong because something is hidden: a
 * proposal is judged as long as all of its records so far are there.
 *
 * @param options - the name of the space, and perhaps a faster hash
 */
export function judgeVisible(options: Pick<JudgeSpaceOptions, 'name' | 'hash'>): VisibleJudge {
  // How many gateways wrote it is not known either.
  const judge = judgeSpace({ ...options, hasSeveralWriters: true, agreedIn: () => 'removed' });
  const versions = new Map<string, number>();
  const counts = { decided: 0, incomplete: 0, unreadable: 0 };
  const faults: VisibleFault[] = [];
  let isReadable = true;

  function judgeWhole(record: JudgedRecord, next: JudgedRecord | undefined): void {
    const isJudged = isProposalRecord(record);
    try {
      const wrong = judge.judge(record, next);
      if (!isJudged) return;
      counts.decided++;
      if (wrong !== undefined && isByItself(record, wrong)) faults.push({ ...wrong, record });
    } catch {
      isReadable = false;
      if (isJudged) counts.unreadable++;
    }
  }

  return {
    judge(record, next) {
      const { stream, version } = record;
      const before = versions.get(stream) ?? 0;
      if (version === before + 1) versions.set(stream, version);
      const isWhole = version === before + 1;
      if (isWhole && isReadable) judgeWhole(record, next?.version === version + 1 ? next : undefined);
      else if (isProposalRecord(record)) counts[isWhole ? 'unreadable' : 'incomplete']++;
    },
    get found() {
      return { ...counts, faults };
    },
  };
}

/** Whether it holds whatever else there is. A message about several proposals may be refused because of another one. */
function isByItself(record: JudgedRecord, { what, code = '' }: Misjudged): boolean {
  if (what === 'unfounded') return true;
  return what === 'refused' && BY_ITSELF.has(code) && correlationIds(record.envelope).length < 2;
}
