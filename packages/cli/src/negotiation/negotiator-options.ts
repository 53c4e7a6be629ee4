import type { Command } from 'commander';
import { CA, type EndpointOptions, withUrl } from '../command-options.js';

/** Command-line options of every command about negotiations. */
export interface NegotiatorOptions extends Omit<EndpointOptions, 'space'> {
  readonly json?: boolean;
}

/** Adds the options that every command about negotiations has. */
export function withNegotiator(command: Command): Command {
  return withUrl(command)
    .option('--token <token>', 'your token (or PROFFER_TOKEN)')
    .option('--as <name>', 'in dev mode: act as this participant')
    .option('--ca <file>', CA)
    .option('--json', 'print JSON');
}
