export { decodeSpace, type SpaceDecoder } from './decode-space.js';
export { encodeSpace, type SpacePart } from './encode-space.js';
