import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';

const CONFIG = `
dev: true
capabilities: { all: ['*'] }
participants:
  ann: { spaces: { main: all }, roles: [finance] }
  bob: { spaces: { main: all }, roles: [finance] }
  cleo: { spaces: { main: all }, roles: [finance] }
  boss: { spaces: { main: all } }
spaces:
  main:
    review:
      - name: payments
        call: mcp.request.tools/call:pay
        approvals: 2
        from: [role:finance]
      - name: refunds
        call: mcp.request.tools/call:refund
        from: [role:finance]
        escalate: [{ after: 10m, to: [boss] }, { after: 1h }]
`;

/** An account that cannot be paid. */
export const CLOSED_ACCOUNT = 'closed account';

/**
 * A gateway with a policy for payments and refunds, a journal on disk, and a server that pretends to make
 * them.
 */
export interface Bank extends AsyncDisposable {
  /** Joins as a participant over a real socket. */
  join(name: string): Promise<Participant>;
  /** The payments made, in order. */
  readonly paid: readonly string[];
  /** Stops the gateway and restarts it on the same journal after some milliseconds. */
  restartAfter(time: number): Promise<void>;
}

export async function openBank(): Promise<Bank> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-bank-'));
  let ahead = 0;
  const clock = (): number => Date.now() + ahead;
  let running = await startOnLoopback(CONFIG, { folder, clock });
  const { port, grpcPort, url } = running;
  const people: Participant[] = [];
  const enter = async (token: string): Promise<Participant> => {
    const participant = await connect({ url, token, space: 'main' });
    people.push(participant);
    return participant;
  };
  const paid: string[] = [];
  const pay = ({ to }: { readonly to?: unknown }): string => {
    if (to === CLOSED_ACCOUNT) throw new Error('The account is closed.');
    paid.push(String(to));
    return `paid ${String(to)}`;
  };
  const openTill = async (): Promise<Participant> => {
    const tools = await connect({ url, token: 'tools', space: 'main' });
    await tools.serve([
      { name: 'pay', handler: pay },
      { name: 'refund', handler: pay },
    ]);
    return tools;
  };
  let till = await openTill();
  return {
    join: enter,
    paid,
    async restartAfter(time) {
      await till.close();
      await running.gateway.close();
      ahead += time;
      running = await startOnLoopback(CONFIG, { folder, clock, port, grpcPort });
      // Participants reconnect on their own; the story continues once the server is back.
      till = await openTill();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...people, till].map((participant) => participant.close()));
      await running.gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
