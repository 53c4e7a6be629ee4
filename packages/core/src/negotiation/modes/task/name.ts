/** The mode in which a requester gives one task to one assignee. */
export const TASK_MODE = 'macp.mode.task.v1';

/** The one supported version of {@link TASK_MODE}. */
export const TASK_MODE_VERSION = '1.0.0';
