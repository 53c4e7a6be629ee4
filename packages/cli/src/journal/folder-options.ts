import { type Command, Option } from 'commander';

/** Options of the commands that look at a journal's folder. */
export interface DataOptions {
  readonly data?: string;
  /** A configuration that says where the journal is. */
  readonly config?: string;
  /** The folder that the guards of this machine share. */
  readonly guard?: boolean;
  readonly json?: boolean;
}

/** The help text of `--data`. */
export const DATA =
  'the folder of the journal, or nats://HOST:PORT/STREAM (default: from proffer.yaml, else proffer-dev-data)';

/** The help text of `--config`. */
export const CONFIG = 'the configuration (default: proffer.yaml)';

/** Adds the options that say which journal's folder to look at. */
export function withFolder(command: Command): Command {
  return command
    .option('--data <folder>', DATA)
    .addOption(new Option('-c, --config <file>', CONFIG).conflicts(['data', 'guard']))
    .addOption(new Option('--guard', 'the journal of the guards of this machine').conflicts('data'));
}
