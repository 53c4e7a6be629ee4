import type { Participant } from '@proffer/client';

/** Somebody's pending proposals, and what keeps happening to them. */
export interface Pending {
  readonly ids: readonly string[];
  /** Proposes one more; settles with its id when it is recorded. */
  propose(): Promise<string>;
  withdraw(id: string): Promise<void>;
  /** Lets so many changes a second happen, for so many milliseconds: some come, some go, some are remarked on. */
  change(perSecond: number, milliseconds: number): Promise<number>;
}

const TICK = 25;
/** As many as are under way at one moment, while a list is filled. */
const AT_ONCE = 500;

/**
 * Leaves so many proposals pending. They are all of different tools, so that each has a row of its own.
 *
 * @param remarker - who says something about them
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
      // What is behind is caught up in pieces: a participant takes only so many at once.
      for (; done < due && under.length < AT_ONCE; done++) {
        // Where those that come are slow to be recorded, nothing goes meanwhile.
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
