import { type Command, Option } from 'commander';

/** Options of the commands that look at a journal's folder. */
export interface DataOptions {
  readonly data?: string;
  /** The folder that the guards of this machine share. */
  readonly guard?: boolean;
  readonly json?: boolean;
}

/** What `--data` means. */
export const DATA =
  'the folder of the journal (default that of proffer.yaml if it is there, else proffer-dev-data)';

/** Adds the options that say which journal's folder to look at. */
export function withFolder(command: Command): Command {
  return command
    .option('--data <folder>', DATA)
    .addOption(new Option('--guard', 'the journal that the guards of this machine share').conflicts('data'));
}
