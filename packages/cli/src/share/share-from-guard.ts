import { setTimeout as pause } from 'node:timers/promises';
import { fileFailure } from '../file-failure.js';
import type { MachineFolder } from '../guard/machine-folder.js';
import { shareAddress } from './address.js';
import type { Share } from './listener.js';
import { offeredPairing, PAIRING_LIFETIME } from './offered-pairing.js';
import { pairingQuestions } from './pairing-questions.js';
import { serveDevices } from './serve-devices.js';

/** How often to check for an answer in the console and for a free address, in milliseconds. */
const POLL_INTERVAL = 250;
const RETRY = 2_000;

/**
 * Lets phones on the network review while a guard runs, or the process that answers hooks. Nobody sees what
 * they print, so the code to scan and the confirmation are in the console. Of several that share, the first one
 * serves, and another takes over when it ends.
 *
 * @param asked - the address given to `--share`
 */
export function shareFromGuard(
  asked: string | true,
  folder: MachineFolder,
  { now, log }: { readonly now: () => number; readonly log: (line: string) => void },
): { close(): Promise<void> } {
  const pairing = offeredPairing(folder.path);
  const questions = pairingQuestions(folder.path);
  const over = new AbortController();

  async function confirm(from: string, agent: string, gone: AbortSignal): Promise<boolean> {
    const ended = AbortSignal.any([over.signal, gone]);
    log(`A device wants to pair (${from}). The inbox in the browser asks whether to let it in.`);
    const question = questions.put({ from, agent, askedAt: now() });
    const until = now() + PAIRING_LIFETIME;
    try {
      while (question.answer() === undefined && now() < until && !ended.aborted) await pause(POLL_INTERVAL);
      return question.answer() === true;
    } finally {
      question.end();
    }
  }

  async function serve(): Promise<Share | undefined> {
    let isSaid = false;
    while (!over.signal.aborted) {
      try {
        // A laptop may have no network yet.
        const { host, port } = shareAddress(asked);
        const share = await serveDevices({
          folder,
          host,
          port,
          now,
          take: (code) => pairing.codes.take(code, now()),
          confirm,
          onPaired: ({ name }) => log(`paired with ${name}.`),
        });
        try {
          pairing.begin({ host, port: share.port });
        } catch (error) {
          await share.close();
          throw error;
        }
        log(`phones on this network: in the inbox in the browser, press Notifications, then Pair a phone.`);
        return share;
      } catch (error) {
        // Usually because another guard already shares.
        if (!isSaid && pairing.servedAt() === undefined)
          log(fileFailure(error)?.message ?? (error instanceof Error ? error.message : String(error)));
        isSaid = true;
        await pause(RETRY, undefined, { signal: over.signal }).catch(() => {});
      }
    }
    return undefined;
  }

  const serving = serve();
  return {
    async close() {
      over.abort();
      const share = await serving;
      if (share === undefined) return;
      pairing.end();
      await share.close();
    },
  };
}
