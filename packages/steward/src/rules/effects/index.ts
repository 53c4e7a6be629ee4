/** Conditions about what a call does to the machine: commands, files, hosts. */

export { readCommand } from './command-condition.js';
export type { CommandFacts, PathNames, VariableFacts } from './command-facts.js';
export { hostInUrl } from './host-name.js';
export { readPlaces } from './place-conditions.js';
export { namesAll, RUN_LATER, runLaterAt } from './run-later.js';
