import type { Command } from 'commander';
import type { ConnectCommandOptions } from '../actions/connect/connect.js';
import type { AddCommands } from '../command-families.js';
import { GUARDS_DATA } from '../command-options.js';

/** `proffer connect` and `disconnect`: everything on this machine that runs agents asks Proffer, or does so no more. */
export const addConnect: AddCommands = (program, shell, done) => {
  withChoice(
    program
      .command('connect')
      .description('Make the agents on this machine ask Proffer')
      .option('--all', 'connect everything that can be connected, without asking which')
      .option(
        '--watch',
        'ask nobody for now: record what you would have been asked, and show it with status',
      ),
    'connect only these: a program such as cursor, or one of its parts such as zed/github or codex/hook; with commas, several',
  )
    .addHelpText(
      'after',
      `
This command looks for Claude Code, Claude Desktop, Codex CLI, Gemini CLI,
GitHub Copilot CLI, Cursor, VS Code, Windsurf, Zed and OpenCode, and for the MCP
servers in your settings for them. An agent with hooks gets the hook. An MCP
server gets a guard in front of its command. The files are backed up first.`,
    )
    .action(async (options: ConnectCommandOptions) =>
      done(await (await import('../actions/connect/connect.js')).connectPrograms(options, shell)),
    );

  withChoice(
    program.command('disconnect').description('Put the settings back as they were before connect'),
    'disconnect only these programs, such as cursor; with commas, several',
  )
    .addHelpText(
      'after',
      `
A file that has not been changed since is restored byte for byte. In a file
that was changed, only what connect added is removed.`,
    )
    .action(async (options: ConnectCommandOptions) =>
      done(await (await import('../actions/connect/disconnect.js')).disconnectPrograms(options, shell)),
    );
};

function withChoice(command: Command, only: string): Command {
  return command
    .option('--only <names>', only)
    .option('--dry-run', 'show what would change, and change nothing')
    .option('-y, --yes', 'do not ask for confirmation on a terminal')
    .option('--data <folder>', GUARDS_DATA);
}
