import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built program, also when the story runs from source. */
const PROGRAM = fileURLToPath(new URL('../../dist/returning-party/seller.js', import.meta.url));

/** The seller in a separate process. */
export interface SellerProcess extends AsyncDisposable {
  /** Every line it has printed. */
  readonly lines: readonly string[];
  /**
   * Resolves with the first line that has this prefix, past or future; rejects if the process exits first.
   */
  said(beginning: string): Promise<string>;
  /** Sends the seller something it waits for. */
  tell(line: string): void;
  /** Kills it like a crash. Resolves when it is gone. */
  kill(): Promise<void>;
  /** The exit code if it exited normally; null after a kill. */
  readonly ended: Promise<number | null>;
}

export function startSeller(target: string, sessionId: string, notes: string): SellerProcess {
  const child = spawn(process.execPath, [PROGRAM, target, sessionId, notes], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    lines,
    async said(beginning) {
      for (;;) {
        const found = lines.find((line) => line.startsWith(beginning));
        if (found !== undefined) return found;
        const isOver = await Promise.race([once(output, 'line').then(() => false), ended.then(() => true)]);
        if (isOver) throw new Error(`The seller ended before it said: ${beginning}`);
      }
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    kill,
    ended,
    [Symbol.asyncDispose]: kill,
  };
}
