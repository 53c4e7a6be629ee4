import { type Command, Option } from 'commander';

/** Options of the commands that look at a journal's folder. */
export interface DataOptions {
  readonly data?: string;
  /** A configuration that says where the journal is. */
  readonly config?: string;
  /** The folder shared by the guards of this machine. */
  readonly guard?: boolean;
  readonly json?: boolean;
}

/** The help text of `--data`. */
export const DATA =
  'the folder of the journal, or nats://HOST:PORT/STREAM (default: from proffer.yaml, else proffer-dev-data)';

/** The help text of `--config`. */
export const CONFIG = 'the configuration (default: proffer.yaml)';

/** Adds the options for the journal's folder. */
export function withFolder(command: Command): Command {
  return command
    .option('--data <folder>', DATA)
    .addOption(new Option('-c, --config <file>', CONFIG).conflicts(['data', 'guard']))
    .addOption(new Option('--guard', 'the journal of the guards of this machine').conflicts('data'));
}
