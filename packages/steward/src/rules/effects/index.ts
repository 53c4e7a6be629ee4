/** Conditions about what a call does to the machine: commands, files, hosts. */

export { type CommandFacts, type PathNames, readCommand, type VariableFacts } from './command-condition.js';
export { hostInUrl, readPlaces } from './place-conditions.js';
export { namesPlace, RUN_LATER, runLaterAt } from './run-later.js';
