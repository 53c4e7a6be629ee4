import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { onExit } from '../cleanup.js';
import { COMPANION_MAIN } from '../entries.js';
import type { Role } from './roles.js';
import type { Usage } from './usage.js';

/** One of our own helper processes: a server, an attacker, a process that opens a journal. */
export interface Companion<Ready> extends AsyncDisposable {
  /** What it reported when it was ready. */
  readonly ready: Ready;
  /** Its stdin and stdout, if it was started with `spoken`. */
  readonly input: Writable | null;
  readonly output: Readable | null;
  /** Its resource usage; with `collect`, after garbage collection. */
  usage(collect?: boolean): Promise<Usage>;
  /** Kills it, as a power cut would. */
  end(): Promise<void>;
}

/** The node that runs companions; by default the one that runs this. A peer may need another version than we do. */
const NODE = process.env['PROFFER_BENCH_NODE'];

/** Messages from a companion to its parent. */
export type CompanionMessage = { readonly ready: unknown } | { readonly usage: Usage };

/** Requests to a companion. */
export type CompanionRequest = { readonly usage: { readonly collect: boolean } };

/**
 * Starts a process in a role and waits until it is ready. Throws with its output if it exits before.
 *
 * @param spoken - whether to pipe its stdin and stdout. Default: no
 */
export async function startCompanion<Ready>(
  role: Role,
  options: object,
  { spoken = false }: { readonly spoken?: boolean } = {},
): Promise<Companion<Ready>> {
  const inAndOut = spoken ? 'pipe' : 'ignore';
  const child = fork(COMPANION_MAIN, [role, JSON.stringify(options)], {
    execArgv: [...new Set([...process.execArgv, '--expose-gc'])],
    stdio: [inAndOut, inAndOut, 'pipe', 'ipc'],
    ...(NODE === undefined ? {} : { execPath: NODE }),
  });
  const forget = onExit(() => child.kill('SIGKILL'));
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const exited = once(child, 'exit');
  // One request at a time: answers carry no id.
  let asking: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<CompanionMessage> => {
    const [said] = (await Promise.race([
      once(child, 'message'),
      exited.then(() => Promise.reject(new Error(`The ${role} ended by itself: ${complaints}`))),
    ])) as [CompanionMessage];
    return said;
  };
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    forget();
  };
  async function ask(request: CompanionRequest): Promise<Usage> {
    child.send(request);
    const said = await next();
    if (!('usage' in said)) throw new Error(`The ${role} did not say what it uses.`);
    return said.usage;
  }
  const first = await next();
  if (!('ready' in first)) throw new Error(`The ${role} said something other than that it is ready.`);
  return {
    ready: first.ready as Ready,
    input: child.stdin,
    output: child.stdout,
    usage(collect = false) {
      const answer = asking.then(() => ask({ usage: { collect } }));
      asking = answer.catch(() => {});
      return answer;
    },
    end,
    [Symbol.asyncDispose]: end,
  };
}
