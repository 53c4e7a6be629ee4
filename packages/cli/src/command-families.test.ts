import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMAND_FAMILIES, familiesFor } from './command-families.js';
import { addHelp, asksForShortHelp } from './help.js';
import { processShell } from './terminal/shell.js';

it.each(COMMAND_FAMILIES)('$names are defined in their file', async ({ names, load }) => {
  const program = new Command().enablePositionalOptions();
  const add = await load();
  add(program, processShell(), () => {});
  expect(program.commands.map((command) => command.name())).toEqual(names);
});

it('every command is in one group of the general help, and ten are in the short one', async () => {
  const helpFor = async (line: readonly string[]): Promise<readonly string[]> => {
    const program = new Command().enablePositionalOptions();
    for (const { load } of COMMAND_FAMILIES) (await load())(program, processShell(), () => {});
    addHelp(program, { all: !asksForShortHelp(line), shell: processShell() });
    return program
      .createHelp()
      .visibleCommands(program)
      .map((command) => command.name());
  };
  const typed = COMMAND_FAMILIES.flatMap(({ names }) => names).filter((name) => name !== 'complete-ids');
  expect((await helpFor(['--help', '--all'])).toSorted()).toEqual(typed.toSorted());
  expect(await helpFor(['--help'])).toHaveLength(10);
});

it('compares a typo with every command', () => {
  expect(familiesFor(['prpose'])).toBe(COMMAND_FAMILIES);
  expect(familiesFor(['inbox', '--watch'])).toHaveLength(1);
});

it('every command, and nothing else, is in the table of commands in the README', async () => {
  const program = new Command().enablePositionalOptions().helpCommand(false);
  for (const { load } of COMMAND_FAMILIES) (await load())(program, processShell(), () => {});
  // Those that help lists: what only scripts call is not for readers.
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, section = ''] = readme.split('## Commands\n');
  const [table = ''] = section.split('\n\n`');
  const firstColumn = table.match(/^\| `[^|]*/gm) ?? [];
  const documented = firstColumn.flatMap((cell) => [...cell.matchAll(/`([a-z]+)/g)].map(([, name]) => name));
  expect(new Set(documented)).toEqual(new Set(names));
});
