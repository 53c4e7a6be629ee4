import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { atEnd } from '../cleanup.js';
import { COMPANION_MAIN } from '../entries.js';
import type { Role } from './roles.js';
import type { Usage } from './usage.js';

/** A process of our own beside this one: a server, an attacker, someone who opens a journal. */
export interface Companion<Ready> extends AsyncDisposable {
  /** What it said when it was ready. */
  readonly ready: Ready;
  /** Its standard input and output: nothing unless it was started to be spoken with. */
  readonly input: Writable | null;
  readonly output: Readable | null;
  /** What it has used; with `collect`, after its garbage is collected. */
  usage(collect?: boolean): Promise<Usage>;
  /** Ends it, as a power cut would. */
  end(): Promise<void>;
}

/** What a companion says to who started it. */
export type Saying = { readonly ready: unknown } | { readonly usage: Usage };

/** What it is asked. */
export type Question = { readonly usage: { readonly collect: boolean } };

/**
 * Starts a process in a role and waits until it is ready. Throws with what it printed if it ends before.
 *
 * @param spoken - whether it is spoken with over its standard input and output. Default no
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
  });
  const forget = atEnd(() => child.kill('SIGKILL'));
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const exited = once(child, 'exit');
  // One question at a time: the answers have no name.
  let asking: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<Saying> => {
    const [said] = (await Promise.race([
      once(child, 'message'),
      exited.then(() => Promise.reject(new Error(`The ${role} ended by itself: ${complaints}`))),
    ])) as [Saying];
    return said;
  };
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    forget();
  };
  async function ask(question: Question): Promise<Usage> {
    child.send(question);
    const said = await next();
    if (!('usage' in said)) throw new Error(`The ${role} did not say what it uses.`);
    return said.usage;
  }
  const first = await next();
  if (!('ready' in first)) throw new Error(`The ${role} said something else than that it is ready.`);
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
