import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import process from 'node:process';

/** Where and when figures were taken: without it, absolute figures mean nothing. */
export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  /** Load average over the last minute; above `cores` there is noise. */
  readonly load: number;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly node: string;
  /** ISO 8601, UTC. */
  readonly date: string;
};

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    date: new Date().toISOString(),
  };
}
