import { type Command, Option } from 'commander';
import type { ProposeFlags } from '../actions/propose.js';
import { withEndpoint } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { collect, durationOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer propose TOOL`: asks for an operation that you may not run yourself. */
export function addPropose(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withEndpoint(
    program
      .command('propose')
      .argument('<tool>', 'the tool (with --method: the prompt, the URI of the resource, or - for none)')
      .description('Propose a tool call and wait for the outcome')
      .option('-a, --arg <key=value>', 'an argument: JSON if it parses, else text; may be repeated', collect)
      .option('--arguments <object>', 'all arguments as a JSON object')
      .option('--to <name>', 'a preferred reviewer; may be repeated', collect)
      .option('--reason <text>', 'why, for the reviewers')
      .option('--ttl <duration>', 'how long it may wait for a decision, such as 5m', durationOption)
      .option(
        '--depends-on <id>',
        'a proposal that has to succeed first, or the beginning of its id; may be repeated',
        collect,
      )
      .addOption(
        new Option(
          '--on-failure <what>',
          'what happens if one of those fails: decline it, or leave it pending',
        ).choices(['decline', 'keep']),
      )
      .option('--method <method>', 'the MCP method', 'tools/call')
      .option('--id <id>', 'its id (default: generated)')
      .option('--wait', 'wait for the outcome', true)
      .option('--no-wait', 'do not wait for the outcome')
      .option('--timeout <duration>', 'stop waiting after this time', durationOption)
      .option('--persist', 'keep waiting when someone rejects it, instead of withdrawing it')
      .addOption(jsonOption())
      .addOption(
        new Option('-o, --output <format>', 'json is the same as --json')
          .choices(['text', 'json'])
          .hideHelp(),
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  ${shell.name} propose echo --arg text=hello
  ${shell.name} propose add --arguments '{"a": 2, "b": 3}' --ttl 5m
  ${shell.name} propose file:///etc/hosts --method resources/read --no-wait`,
    )
    .action(async (tool: string, options: ProposeFlags) =>
      done(await (await import('../actions/propose.js')).propose(tool, options, shell)),
    );
}

/** `--json`, which prints JSON. With an object it gives the arguments, as it did before `--arguments`. */
function jsonOption(): Option {
  const json = new Option('--json [object]', 'print JSON');
  json.flags = '--json';
  return json;
}
