import { EXIT } from '../command-failure.js';

/**
 * Resolves with the first SIGINT or SIGTERM; a second one ends the process at once. Call it before starting
 * anything, so that no signal is missed.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(EXIT.interrupted);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
