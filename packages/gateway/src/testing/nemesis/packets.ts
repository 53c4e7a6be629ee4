import { execFileSync } from 'node:child_process';

/** What happens to packets on their way to a host, each at random. */
export interface Disturbance {
  /** The fraction that is lost. */
  readonly lost: number;
  /** The fraction that is late: others overtake them. */
  readonly late: number;
  /** The rate of late packets, in kilobits a second. */
  readonly rate: number;
}

/** Late packets beyond this number are lost. */
const MAX_LATE = 50;

const CLASS = { usual: 0x1_0001, lost: 0x1_0002, late: 0x1_0003 };

/**
 * Drops packets on a device, and reorders some. `netem` would do that, but not every kernel has it: here a
 * program of six instructions draws a random number for each packet and chooses one of three queues: a normal
 * one, a slow one, and a hole.
 */
export function disturb(device: string, { lost, late, rate }: Disturbance): void {
  const tc = (...args: readonly string[]): void => void execFileSync('tc', args, { stdio: 'pipe' });
  const on = ['dev', device];
  const queue = (id: string, ...shape: readonly string[]): void =>
    tc('class', 'add', ...on, 'parent', '1:', 'classid', id, 'htb', ...shape);
  tc('qdisc', 'replace', ...on, 'root', 'handle', '1:', 'htb', 'default', '1', 'r2q', '1000');
  queue('1:1', 'rate', '10gbit', 'burst', '1mb', 'cburst', '1mb');
  queue('1:2', 'rate', '10gbit');
  tc('qdisc', 'add', ...on, 'parent', '1:2', 'blackhole');
  queue('1:3', 'rate', `${rate}kbit`);
  tc('qdisc', 'add', ...on, 'parent', '1:3', 'pfifo', 'limit', String(MAX_LATE));
  tc('filter', 'add', ...on, 'parent', '1:', 'protocol', 'all', 'bpf', 'bytecode', program(lost, late));
}

/** Everything arrives again, and in order. */
export function disturbNoMore(device: string): void {
  execFileSync('tc', ['qdisc', 'del', 'dev', device, 'root'], { stdio: 'pipe' });
}

/** Instructions of the kernel's packet filter: code, how far to jump if true, if false, and a number. */
function program(lost: number, late: number): string {
  const RANDOM = 0xffff_f038;
  const below = (share: number): number => Math.min(Math.floor(share * 2 ** 32), 2 ** 32 - 1);
  const instructions = [
    [0x20, 0, 0, RANDOM],
    [0x35, 2, 0, below(lost + late)],
    [0x35, 2, 0, below(lost)],
    [0x06, 0, 0, CLASS.lost],
    [0x06, 0, 0, CLASS.usual],
    [0x06, 0, 0, CLASS.late],
  ];
  return [String(instructions.length), ...instructions.map((one) => one.join(' '))].join(',');
}
