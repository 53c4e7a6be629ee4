import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface MachineOptions {
  readonly name: string;
  readonly command: readonly string[];
  /** What it prints when it is ready. */
  readonly ready: string;
}

/** The delay before a process that exited is restarted, in milliseconds. */
const RESTART = 500;

/** How much of its latest output is kept, in characters. */
const KEPT = 1_000_000;

/** A supervised process: when it exits, it is restarted. */
export class Machine {
  readonly name: string;
  /** How it exited without being killed, although it had been ready. */
  readonly crashes: string[] = [];
  readonly #options: MachineOptions;
  #child: ChildProcessWithoutNullStreams | undefined;
  #said = '';
  #isReady = false;
  #isKilled = false;
  #isWanted = true;
  #pause = RESTART;

  constructor(options: MachineOptions) {
    this.name = options.name;
    this.#options = options;
    void this.#keepRunning();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Its latest output. */
  get said(): string {
    return this.#said;
  }

  /** Kills it; it is restarted after some milliseconds. */
  kill(pause = RESTART): void {
    this.#isKilled = true;
    this.#isReady = false;
    this.#pause = pause;
    this.#child?.kill('SIGKILL');
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  write(line: string): void {
    if (this.#child?.stdin.writable === true) this.#child.stdin.write(line);
  }

  /** Stops it for good. */
  stop(): void {
    this.#isWanted = false;
    this.kill();
  }

  async #keepRunning(): Promise<void> {
    while (this.#isWanted) {
      await this.#runOnce();
      await delay(this.#pause);
      this.#pause = RESTART;
    }
  }

  async #runOnce(): Promise<void> {
    const [program = '', ...args] = this.#options.command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    this.#isKilled = false;
    child.stdin.on('error', () => {});
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => {
        this.#said = `${this.#said}${text}`.slice(-KEPT);
        if (text.includes(this.#options.ready)) this.#isReady = true;
      });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (this.#isReady && !this.#isKilled)
      this.crashes.push(`${this.name} ended with ${signal ?? code}: ${this.#said.slice(-4_000)}`);
    this.#isReady = false;
  }
}
