import { EXIT } from '../exit-code.js';

/**
 * Settles with the first SIGINT or SIGTERM; a second one ends the process at once. To be called before
 * anything is started, so that no signal finds nobody listening.
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
