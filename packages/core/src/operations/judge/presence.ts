import type { DecisionContext } from '../context.js';
import type { OperationRecord } from '../records.js';

/** Who was there, which no record says. */
type Presence = Pick<DecisionContext, 'isPresent' | 'present'>;

const everyone = (): boolean => true;
const nobody = (): boolean => false;

const ALL: Presence = { isPresent: everyone };
const NONE: Presence = { isPresent: nobody };

/**
 * Who may have been there when a record was made, the likeliest first. A record holds if one of these explains it: who was
 * there is in no record, so nothing can be concluded from it.
 */
export function presencesFor(
  record: OperationRecord,
  next: OperationRecord | undefined,
): readonly Presence[] {
  if (record.type === 'proposed') {
    const { addressees, runsBy } = record.facts;
    const present = (): readonly string[] => addressees;
    if (runsBy === undefined)
      return [
        { ...NONE, present },
        { ...ALL, present },
      ];
    return [
      { ...ALL, present },
      { ...only(executorIn(next)), present },
    ];
  }
  const executor = executorIn(record);
  return executor === undefined ? [ALL, NONE] : [ALL, only(executor), NONE];
}

function only(name: string | undefined): Presence {
  return { isPresent: (one) => one === name };
}

function executorIn(record: OperationRecord | undefined): string | undefined {
  const { executor } = (record?.facts ?? {}) as { readonly executor?: string };
  return executor;
}
