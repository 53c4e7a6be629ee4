export { decodeSpace, type SpaceDecoder } from './decode-space.js';
export { encodeSpace } from './encode-space.js';
export type { SpacePart } from './space-part.js';
