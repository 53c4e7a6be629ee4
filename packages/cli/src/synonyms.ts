import { type Command, Option } from 'commander';

/** Synonymous options; each command documents one of them and accepts both. */
const SAME = [
  ['data', 'journal'],
  ['journal', 'data'],
] as const;

/**
 * Makes a command and its subcommands accept synonyms: `--journal` for `--data` and the other way round, and `--output
 * json` for `--json`. They are not shown in its help.
 */
export function addSynonyms(command: Command): void {
  for (const one of command.commands) addSynonyms(one);
  const has = (name: string): Option | undefined =>
    command.options.find((option) => option.attributeName() === name);
  for (const [name, other] of SAME) {
    const option = has(name);
    if (option === undefined || option.hidden || has(other) !== undefined) continue;
    command.addOption(new Option(`--${other} <folder>`, `the same as --${name}`).hideHelp());
    const refuseBoth = (): void => {
      if (command.getOptionValueSource(name) === 'cli' && command.getOptionValueSource(other) === 'cli')
        command.error(`--${name} and --${other} are the same; use only one of them.`);
    };
    command.on(`option:${name}`, refuseBoth);
    command.on(`option:${other}`, (folder: string) => {
      refuseBoth();
      command.setOptionValue(name, folder);
    });
  }
  if (has('json')?.isBoolean() === true && has('output') === undefined) {
    const output = new Option('-o, --output <format>', 'json is the same as --json').choices([
      'text',
      'json',
    ]);
    command.addOption(output.hideHelp());
    command.on('option:output', (format: string) => {
      if (format === 'json') command.setOptionValue('json', true);
    });
  }
}
