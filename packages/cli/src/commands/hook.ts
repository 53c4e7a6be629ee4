import { type Command, Option } from 'commander';
import type { HookInstallOptions } from '../actions/hook/hook-install.js';
import type { HookServeOptions } from '../actions/hook/hook-serve.js';
import type { HookTestOptions } from '../actions/hook/hook-test.js';
import type { AddCommands } from '../command-families.js';
import { durationOption, GUARDS_DATA, portOption, urlOption } from '../command-options.js';

const AGENT = 'claude-code, codex, gemini-cli, cursor or copilot-cli';

/** `proffer hook`: approval for the calls of coding agents, through their own hooks. */
export const addHook: AddCommands = (program, shell, done) => {
  const hook = program.command('hook').description('Approve the calls of coding agents, through their hooks');

  withScope(
    hook.command('install').argument('<agent>', AGENT).description("Add the hook to an agent's settings"),
  )
    .option('--wait <duration>', 'how long a person has to decide (default 10m)', durationOption)
    .addOption(
      new Option(
        '--otherwise <what>',
        'what happens without a decision: the agent asks you, or does not run the call',
      )
        .choices(['ask', 'deny'])
        .default('ask'),
    )
    .option(
      '--only-prompts',
      'ask only when the agent would ask you itself (claude-code, codex, copilot-cli)',
    )
    .option('--rules <file>', 'the rules: what to allow, ask about or deny; for all hooks on this machine')
    .option(
      '--watch',
      'ask nobody, and record what you would have been asked; applies to everything on this machine',
    )
    .option('--agent-lists', 'do not ask about what the agents allow in their own settings (default)')
    .option(
      '--no-agent-lists',
      "also ask about what the agents' own settings allow; for all hooks on this machine",
    )
    .option('--http', 'ask over HTTP, which is faster (claude-code; not with --project)')
    .option('--http-port <number>', 'with --http: the port on this machine (default 7422)', portOption)
    .option(
      '--url <url>',
      'an existing gateway, for all hooks (default: the one that guards share); with commas, several that share a journal',
      urlOption,
    )
    .option('--token <token>', 'with --url: the token of the agents (or PROFFER_TOKEN)')
    .option('--space <name>', 'with --url: the space (default main)')
    .option(
      '--share [address]',
      'let paired phones on the network review, while hooks are answered; for all hooks on this machine',
    )
    .option('--no-share', 'stop serving phones')
    .action(async (agent: string, options: HookInstallOptions) =>
      done(await (await import('../actions/hook/hook-install.js')).hookInstall(agent, options, shell)),
    );

  withScope(
    hook
      .command('uninstall')
      .argument('<agent>', AGENT)
      .description("Remove the hook from an agent's settings"),
  ).action(async (agent: string, options: HookInstallOptions) =>
    done(await (await import('../actions/hook/hook-install.js')).hookUninstall(agent, options, shell)),
  );

  hook
    .command('test')
    .argument('<agent>', AGENT)
    .description('Send a sample call through the hook, and show the answer that the agent would get')
    .option('--command <line>', 'the command of the sample call', 'echo hello from proffer')
    .option('--wait <duration>', 'how long to wait for a decision (default 1m)', durationOption)
    .option('--data <folder>', GUARDS_DATA)
    .option('--json', 'print only the answer to the agent')
    .action(
      async (agent: string, options: HookTestOptions) =>
        await (await import('../actions/hook/hook-test.js')).hookTest(agent, options, shell),
    );

  hook
    .command('serve')
    .description('Answer hooks until stopped; hooks start this automatically')
    .option('--data <folder>', GUARDS_DATA)
    .option(
      '--idle <duration>',
      'exit after this long without a call (default 1h; with --http or --share never)',
      durationOption,
    )
    .action(
      async (options: HookServeOptions) =>
        await (await import('../actions/hook/hook-serve.js')).hookServe(options, shell),
    );
};

function withScope(command: Command): Command {
  return command
    .option('--user', 'in your own settings, for all projects (default)')
    .option('--project', 'in the settings of the project in this folder')
    .option('--data <folder>', GUARDS_DATA)
    .option('-y, --yes', 'do not ask for confirmation on a terminal');
}
