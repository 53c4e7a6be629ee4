/** The tools of a server: listed, announced in the space, and offered for approval. */

export { spaceTool } from './space-tool.js';
export { TaskSupport } from './task-support.js';
export { ToolListing } from './tool-listing.js';
export { Toolbook } from './toolbook.js';
