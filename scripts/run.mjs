import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

/** How long a program may take to end once it was told to, in milliseconds. */
const PATIENCE = 10_000;

/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
/** @type {NodeJS.Signals | undefined} */
let stoppedBy;

/**
 * Runs a program to its end. A signal that would end this process is passed on to the program, and
 * this process ends after it, so nothing is left running.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ stream?: boolean, env?: Record<string, string>, cwd?: string, shell?: boolean }} [options]
 *   `stream` shows what the program prints as it comes; otherwise it is kept and returned
 * @returns {Promise<{ code: number, output: string }>} `code` is 128 + n when signal n ended it
 */
export function run(command, args, { stream = false, env = {}, cwd, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: stream ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      cwd,
      shell,
    });
    running = child;
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running = undefined;
      const status = signal === null ? (code ?? 1) : statusOf(signal);
      if (stoppedBy !== undefined) process.exit(signal === null ? status : statusOf(stoppedBy));
      resolve({ code: status, output });
    });
  });
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  if (running === undefined) process.exit(statusOf(signal));
  stoppedBy = signal;
  // A terminal sends Ctrl-C to every process in it; a second one would read as "at once".
  const alreadyTold = signal === 'SIGINT' && process.stdin.isTTY;
  if (!alreadyTold) running.kill(signal);
  const child = running;
  setTimeout(() => child.kill('SIGKILL'), PATIENCE).unref();
}

/** @param {NodeJS.Signals} signal */
function statusOf(signal) {
  return 128 + constants.signals[signal];
}

process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
