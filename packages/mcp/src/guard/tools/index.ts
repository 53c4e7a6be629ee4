/** The tools of a server: listed, announced in the space, and offered for approval. */

export { spaceTool } from './announcer.js';
export { TaskSupport, ToolListing } from './tool-listing.js';
export { Toolbook } from './toolbook.js';
