import type { Command } from 'commander';
import { type EndpointOptions, withGuards } from '../connection/endpoint-options.js';

/** Options of the commands that look at what was decided. */
export interface HistoryOptions extends EndpointOptions {
  readonly journal?: string;
  readonly json?: boolean;
}

/** Adds the options that say where the history is: with a gateway, or in a folder. */
export function withHistory(command: Command): Command {
  return withGuards(command)
    .option('--journal <folder>', 'read the journal in this folder instead of asking a gateway')
    .option('--json', 'print JSON');
}
