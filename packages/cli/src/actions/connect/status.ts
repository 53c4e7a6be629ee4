import { PROGRAMS } from '@proffer/hook/connect';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { printJson } from '../../terminal/print-json.js';
import type { Shell } from '../../terminal/shell.js';
import { openConnections } from './connections.js';
import { itemName, itemsOf, showCoverage } from './coverage-table.js';

/** Shows what on this machine asks Proffer, what does not, and since when. */
export function showStatus(
  { data, json }: { readonly data?: string; readonly json?: boolean },
  shell: Shell,
): ExitCode {
  const { programs } = openConnections(data === undefined ? {} : { data }, shell);
  const items = itemsOf(programs);
  if (json === true) {
    printJson(
      {
        items: items.map((item) => ({
          name: itemName(item),
          program: PROGRAMS[item.program].label,
          kind: item.kind,
          ...(item.path === '' ? {} : { file: item.path }),
          ...item.coverage,
        })),
      },
      shell,
    );
    return EXIT.done;
  }
  if (programs.length === 0) {
    shell.print('No program that runs agents has settings in your home folder.');
    return EXIT.done;
  }
  showCoverage(programs, shell);
  const count = (type: string): number => items.filter(({ coverage }) => coverage.type === type).length;
  shell.print(`Covered: ${count('covered')}. Not covered: ${count('open') + count('uncovered')}.`);
  if (count('open') > 0) shell.print(shell.style.dim(`  to cover more:  ${shell.name} connect`));
  return EXIT.done;
}
