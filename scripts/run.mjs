import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

/** How long a program may take to exit after a signal, in milliseconds. */
const KILL_DELAY = 10_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
/** @type {NodeJS.Signals | undefined} */
let stoppedBy;

/**
 * Runs a program until it exits; several may run at the same time. Signals that would end this process are forwarded,
 * and this process exits after the last program, so nothing is left running.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ stream?: boolean, env?: Record<string, string>, cwd?: string, shell?: boolean }} [options]
 * `stream` shows the output as it arrives; otherwise it is collected and returned
 * @returns {Promise<{ code: number, output: string }>} `code` is 128 + n if signal n ended it
 */
export function run(command, args, { stream = false, env = {}, cwd, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: stream ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      cwd,
      shell,
    });
    running.add(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      const status = signal === null ? (code ?? 1) : statusOf(signal);
      if (stoppedBy === undefined) resolve({ code: status, output });
      else if (running.size === 0) process.exit(signal === null ? status : statusOf(stoppedBy));
    });
  });
}

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  if (running.size === 0) process.exit(statusOf(signal));
  stoppedBy = signal;
  // A terminal sends Ctrl-C to every process in it; a second one would mean "immediately".
  const alreadyTold = signal === 'SIGINT' && process.stdin.isTTY;
  for (const child of running) {
    if (!alreadyTold) child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), KILL_DELAY).unref();
  }
}

/** @param {NodeJS.Signals} signal */
function statusOf(signal) {
  return 128 + constants.signals[signal];
}

process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
