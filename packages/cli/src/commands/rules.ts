import { defined } from '@proffer/core/json';
import { InvalidArgumentError, Option } from 'commander';
import type { ExplainOptions } from '../actions/rules/explain-rules.js';
import type { SuggestFlags } from '../actions/rules/rules.js';
import type { AddCommands } from '../command-families.js';
import { countOption, type HistoryOptions, withHistory } from '../command-options.js';
import type { DecisionNumber } from '../rules/recorded-calls.js';

/** `proffer rules`: begin, check, add, explain, test and suggest the rules that a steward or a guard decides by. */
export const addRules: AddCommands = (program, shell, done) => {
  const rules = program
    .command('rules')
    .description('Print starter rules; check, add, explain, test and suggest rules');

  rules
    .command('check')
    .argument('<file>', 'the rules')
    .description('Check a rule file, and list every mistake')
    .option('--json', 'print JSON')
    .action(
      async (file: string, { json }: { readonly json?: boolean }) =>
        await (await import('../actions/rules/rules.js')).checkRules(file, json === true, shell),
    );

  rules
    .command('starter')
    .description('Print starter rules, for the hooks of coding agents')
    .action(async () => shell.print((await import('@proffer/steward/guard')).STARTER_RULES.trimEnd()));

  rules
    .command('add')
    .argument('<file>', 'the rule file, created if it does not exist')
    .argument('[draft]', 'a file with the rules to add (default: standard input)')
    .description('Check rules, and add them to the end of a rule file')
    .action(
      async (file: string, draft: string | undefined) =>
        await (await import('../actions/rules/add-rules.js')).addToRules(file, draft, shell),
    );

  withHistory(
    rules
      .command('explain')
      .argument('<file>', 'the rules')
      .argument(
        '[call]',
        'a tool, the id of a proposal, or the call as JSON, such as {"name":"echo","arguments":{}}',
      )
      .description('Show which rule decides a call and why, and why earlier rules do not')
      .option('--tool <name>', 'the tool that is called, instead of CALL')
      .option('--resource <uri>', 'the resource that is read, instead of CALL')
      .option('--prompt <name>', 'the prompt that is asked for, instead of CALL')
      .option('--args <json>', 'its arguments, a JSON object')
      .option('--participant <name>', 'who wants it (default agent)')
      .option('--client <name>', 'the MCP client behind it')
      .option('--user <name>', 'the person behind it')
      .option('--server <name>', 'who would run it')
      .option('--annotations <json>', 'what the server says about the tool, such as {"readOnlyHint":true}')
      .option('--time <moment>', 'when, such as 2026-11-16T09:00:00Z (default now)', momentOption)
      .option('--proposal <id>', 'a past proposal, or the beginning of its id, instead of --tool')
      .option(
        '--seq <seq>',
        'a decision that the rules of a guard made, by its number in the log, such as 38 or 38.2, instead of --tool',
        decisionOption,
      ),
  ).action(async (file: string, call: string | undefined, options: ExplainOptions) => {
    const which = { file, ...defined({ call }) };
    await (await import('../actions/rules/explain-rules.js')).explainRules(which, options, shell);
  });

  withHistory(
    rules
      .command('test')
      .argument('<file>', 'the rules')
      .description(
        'Show past decisions that the rules would have made differently; exits with 1 if there are any',
      )
      .addOption(
        new Option('--against <what>', 'what to compare with').choices(['history']).default('history'),
      ),
  ).action(async (file: string, options: HistoryOptions) =>
    done(await (await import('../actions/rules/rules.js')).testRules(file, options, shell)),
  );

  withHistory(
    rules
      .command('suggest')
      .description('Print the narrowest rules that reproduce repeated decisions of people')
      .option('--min <count>', 'how many identical decisions a rule needs', countOption, 3),
  ).action(
    async (options: SuggestFlags) =>
      await (await import('../actions/rules/rules.js')).suggest(options, shell),
  );
};

function momentOption(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Give a date and time, such as 2026-11-16T09:00:00Z.');
  return time;
}

/** A `seq`, or one of several decisions under it: `38.2`. */
function decisionOption(text: string): DecisionNumber {
  const [, seq, place] = /^(\d{1,15})(?:\.([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (seq === undefined) throw new InvalidArgumentError('Use a number from the log, such as 38 or 38.2.');
  return { seq: Number(seq), ...(place === undefined ? {} : { place: Number(place) }) };
}
