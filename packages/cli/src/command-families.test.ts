import { Command } from 'commander';
import { expect, it } from 'vitest';
import { COMMAND_FAMILIES, familiesFor } from './command-families.js';
import { processShell } from './terminal/shell.js';

it.each(COMMAND_FAMILIES)('$names are what their file has', async ({ names, load }) => {
  const program = new Command().enablePositionalOptions();
  const add = await load();
  add(program, processShell(), () => {});
  expect(program.commands.map((command) => command.name())).toEqual(names);
});

it('a mistake is compared with every command', () => {
  expect(familiesFor(['prpose'])).toBe(COMMAND_FAMILIES);
  expect(familiesFor(['inbox', '--watch'])).toHaveLength(1);
});
