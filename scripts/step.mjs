import process from 'node:process';

/**
 * Does one step and says so in one line: what, and how long it took.
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
 * How long ago that was, for people.
 *
 * @param {bigint} start - from `process.hrtime.bigint()`
 */
export function since(start) {
  return `${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s`;
}

/** What stops a command, said to the person who gave it; never shown with a stack. */
export class Failure extends Error {}

/**
 * Runs a command of this repository and turns what goes wrong into words and an exit code.
 *
 * @param {() => Promise<number>} command - gives the exit code
 */
export async function main(command) {
  try {
    process.exitCode = await command();
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Failure ? `\n${error.message}` : error);
  }
}
