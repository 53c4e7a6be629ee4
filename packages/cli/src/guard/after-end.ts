import { count } from '@proffer/core/words';

/** What became of the calls of a server that ended. */
export function afterEnd(begun: number): string {
  const withdrawn = 'Calls that waited for a decision were withdrawn and did not run.';
  if (begun === 0) return withdrawn;
  return `${withdrawn} ${count(begun, 'call')} had started: nobody knows whether ${begun === 1 ? 'it' : 'they'} ran. Check the effects before you repeat ${begun === 1 ? 'it' : 'them'}.`;
}
