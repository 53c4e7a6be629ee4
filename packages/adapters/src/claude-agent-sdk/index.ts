export * from '../gate/index.js';
export type { CanUseTool, HookCallback, PermissionResult, ToolHookInput, ToolHooks } from './approvals.js';
export { type Approvals, approvals } from './approvals.js';
