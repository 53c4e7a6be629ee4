import { notedGateways, type RunningGuard, runningGuards } from '@proffer/client/machine';
import { allOf, count } from '@proffer/core/words';
import { visible } from '../terminal/visible.js';

/** All guards that run on this machine, also those that share another folder. */
export function guardsHere(folder: string): readonly RunningGuard[] {
  const others = notedGateways(folder).flatMap(({ folder: other }) => (other === undefined ? [] : [other]));
  return [...new Set([folder, ...others])].flatMap(runningGuards);
}

/** The running guards in one sentence; empty if there are none. */
export function describeGuards(guards: readonly RunningGuard[]): string {
  if (guards.length === 0) return '';
  const named = guards.map(({ name, pid, gateway }) => {
    const where = gateway === undefined ? '' : `, asks at ${gateway}`;
    return visible(`${name} (process ${pid}${where})`);
  });
  return `${count(guards.length, 'guard')} running now: ${allOf(named)}.`;
}
