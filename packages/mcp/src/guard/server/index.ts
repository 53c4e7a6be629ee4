/** The server behind the guard: which one it is, how to reach it, and how an approved call runs on it. */

export { createReturningServer, type ReturningServerOptions } from './returning-server.js';
export { type Run, runOnServer } from './run-on-server.js';
export {
  type CommandPlace,
  identityOfCommand,
  identityOfUrl,
  serverInfoIn,
  serverNameFrom,
  serverNameFromUrl,
  sourceOfCommand,
} from './server-name.js';
export { RELATED_TASK_KEY } from './server-task.js';
