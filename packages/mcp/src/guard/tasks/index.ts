/** Guarded calls as MCP tasks, in both revisions. */

export { FollowedTasks } from './followed-tasks.js';
export { OwnTasks } from './own-tasks.js';
export { type TaskState, taskCreated, taskResult, taskStateOf } from './task-answers.js';
export { TaskHandling, type TaskHandlingOptions } from './task-handling.js';
