import { watchingSince } from '@proffer/client/machine';
import { defined } from '@proffer/core/json';
import { PROGRAMS } from '@proffer/hook/connect';
import { describeGuards, guardsHere } from '../../guard/running-guards.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { describeWatching, readWatched } from '../watch.js';
import { itemName, itemsOf, openConnections, showCoverage } from './connections.js';

/** Shows what on this machine asks Proffer, what does not, and since when. */
export async function showStatus(
  { data, json }: { readonly data?: string; readonly json?: boolean },
  shell: Shell,
): Promise<void> {
  const { folder, programs } = openConnections(defined({ data }), shell);
  const items = itemsOf(programs);
  const guards = guardsHere(folder);
  if (json === true) {
    const since = watchingSince(folder);
    const { suggested: _rules, ...watched } = (await readWatched(folder, shell)) ?? {};
    printJson(
      {
        watching: since !== undefined,
        ...(since === undefined ? {} : { watched }),
        items: items.map((item) => ({
          name: itemName(item),
          program: PROGRAMS[item.program].label,
          kind: item.kind,
          ...(item.path === '' ? {} : { file: item.path }),
          ...item.coverage,
        })),
        guards,
      },
      shell,
    );
    return;
  }
  const watching = await describeWatching(folder, shell);
  if (watching.length > 0) shell.print(...watching, '');
  if (guards.length > 0) shell.print(describeGuards(guards), '');
  if (programs.length === 0) {
    shell.print('No program that runs agents has settings in your home folder.');
    return;
  }
  showCoverage(programs, shell);
  const count = (type: string): number => items.filter(({ coverage }) => coverage.type === type).length;
  shell.print(`Covered: ${count('covered')}. Not covered: ${count('open') + count('uncovered')}.`);
  if (count('open') > 0) shell.print(shell.style.dim(`  to cover more:  ${shell.name} connect`));
}
