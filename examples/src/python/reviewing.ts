import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant, type PendingProposal } from '@proffer/client';
import { type Gateway, startOnLoopback } from '@proffer/gateway';

/** A gateway that can be restarted, and a reviewer there. */
export interface Reviewing extends AsyncDisposable {
  readonly url: string;
  readonly reviewer: Participant;
  readonly restart: () => Promise<void>;
  /** Resolves with the pending proposal for a tool. */
  readonly pending: (tool: string) => Promise<PendingProposal>;
}

export async function startReviewing(): Promise<Reviewing> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-python-'));
  let gateway: Gateway | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    ({ gateway, port } = await startOnLoopback('dev: true', { folder, port }));
  };
  await start();
  const url = `ws://127.0.0.1:${port}`;
  const reviewer = await connect({
    url,
    token: 'reviewer',
    space: 'main',
    retry: { delay: 20, maxDelay: 100 },
  });
  const find = (tool: string): PendingProposal | undefined =>
    reviewer.pending.find(({ params }) => params?.['name'] === tool);
  return {
    url,
    reviewer,
    async restart() {
      await gateway?.close();
      await start();
    },
    pending: (tool) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = find(tool);
          if (found === undefined) return;
          stop();
          resolve(found);
        };
        const stop = reviewer.on('message', look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await gateway?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
