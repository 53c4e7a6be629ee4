import type { Command } from 'commander';
import { type EndpointOptions, withGuards } from '../connection/endpoint-options.js';

/** Options of the commands that read past decisions. */
export interface HistoryOptions extends EndpointOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** Adds the options for the history: from a gateway, or from a folder. */
export function withHistory(command: Command): Command {
  return withGuards(command)
    .option('--data <folder>', 'read the journal in this folder instead of asking a gateway')
    .option('--json', 'print JSON');
}
