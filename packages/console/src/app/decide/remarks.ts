import { createStore, type Store } from '../state/store.js';

/** A message about a proposal that does not decide it: a counter-offer, a grant, a delegation. */
export interface Remark {
  readonly state: 'sent' | 'durable' | 'refused';
  /** The result once it is recorded, or why it was refused. */
  readonly words: string;
}

/** The last remark made in this tab on each proposal. */
export const remarks: Store<ReadonlyMap<string, Remark>> = createStore<ReadonlyMap<string, Remark>>(
  new Map(),
);

/** Sends a remark: it counts as sent until the gateway has recorded it. Resolves with whether it did. */
export async function sendRemark(
  proposal: string,
  words: string,
  send: () => Promise<{ readonly status: string }>,
): Promise<boolean> {
  const note = (remark: Remark): void => remarks.set(new Map([...remarks.get(), [proposal, remark]]));
  note({ state: 'sent', words: 'Sent. Waiting for the gateway to record it …' });
  try {
    const { status } = await send();
    const isLate = status === 'late';
    note(
      isLate
        ? { state: 'refused', words: 'Too late: this call was no longer pending.' }
        : { state: 'durable', words },
    );
    return !isLate;
  } catch (error) {
    note({ state: 'refused', words: error instanceof Error ? error.message : String(error) });
    return false;
  }
}

/** Forgets all remarks: ids mean other proposals in another space. */
export function forgetRemarks(): void {
  remarks.set(new Map());
}
