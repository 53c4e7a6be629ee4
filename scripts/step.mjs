import process from 'node:process';

/**
 * Runs one step and prints a line with its name and duration.
 *
 * @template Value
 * @param {string} what - in the present tense, such as "Building"
 * @param {() => Promise<Value>} work
 * @param {{ stream?: boolean }} [options] - `stream`: the work prints, so the time gets its own line
 * @returns {Promise<Value>}
 */
export async function step(what, work, { stream = false } = {}) {
  const start = process.hrtime.bigint();
  process.stderr.write(`${what} …${stream ? '\n' : ' '}`);
  try {
    const value = await work();
    process.stderr.write(`${stream ? `${what}: ` : ''}${since(start)}\n`);
    return value;
  } catch (error) {
    process.stderr.write(`${stream ? `${what}: ` : ''}failed after ${since(start)}\n`);
    throw error;
  }
}

/**
 * The elapsed time, formatted.
 *
 * @param {bigint} start - from `process.hrtime.bigint()`
 */
export function since(start) {
  return `${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s`;
}

/** Stops a command with a message for its user; never shown with a stack trace. */
export class Failure extends Error {}

/**
 * Runs a command of this repository and turns errors into a message and an exit code.
 *
 * @param {() => Promise<number>} command - returns the exit code
 */
export async function main(command) {
  try {
    process.exitCode = await command();
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Failure ? `\n${error.message}` : error);
  }
}
