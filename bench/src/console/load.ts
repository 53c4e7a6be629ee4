import type { Participant } from '@proffer/client';

/** A participant's pending proposals, and a steady stream of changes to them. */
export interface Pending {
  readonly ids: readonly string[];
  /** Proposes one more; resolves with its id once it is recorded. */
  propose(): Promise<string>;
  withdraw(id: string): Promise<void>;
  /** Makes changes at a rate per second for some milliseconds: new proposals, withdrawals and remarks. */
  change(perSecond: number, milliseconds: number): Promise<number>;
}

const TICK = 25;
/** Proposals in flight while filling the list. */
const AT_ONCE = 500;

/**
 * Leaves proposals pending. Each is for a different tool, so each gets its own row.
 *
 * @param remarker - adds remarks about them
 */
export async function fill(agent: Participant, remarker: Participant, count: number): Promise<Pending> {
  const ids: string[] = [];
  let made = 0;
  const prefix = `bench-${Date.now().toString(36)}`;
  const propose = async (): Promise<string> => {
    const number = made++;
    const id = `${prefix}-${number}`;
    const given = { path: `/srv/app/part-${number}.yaml`, content: 'x'.repeat(200) };
    const call = { name: `write_${number}`, arguments: given };
    const one = agent.propose('tools/call', call, { id, onRejection: 'wait' });
    one.catch(() => {});
    await one.accepted;
    ids.push(id);
    return id;
  };
  const take = (id: string): void => {
    const place = ids.indexOf(id);
    const last = ids.pop();
    if (last !== undefined && place < ids.length) ids[place] = last;
  };
  const withdraw = async (id: string): Promise<void> => {
    take(id);
    await agent.withdraw(id);
  };
  while (ids.length < count)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, propose));

  const any = (): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
  async function change(perSecond: number, milliseconds: number): Promise<number> {
    const under: Promise<unknown>[] = [];
    const start = performance.now();
    let done = 0;
    while (performance.now() - start < milliseconds) {
      const due = Math.floor(((performance.now() - start) * perSecond) / 1000);
      // Catches up in chunks: a participant accepts only so many at once.
      for (; done < due && under.length < AT_ONCE; done++) {
        // While new proposals are slow to be recorded, none is withdrawn.
        if (done % 5 < 2 || ids.length < 10) under.push(propose());
        else if (done % 5 < 4) under.push(withdraw(any()));
        else under.push(remarker.status(any(), 'considering', `for the ${done}th time`));
      }
      await new Promise((resolve) => setTimeout(resolve, TICK));
      await Promise.all(under.splice(0));
    }
    return done;
  }
  return { ids, propose, withdraw, change };
}
