export { makeVisible } from '../text/segments.js';
export { canonicalJson, sameJson } from './canonical.js';
export { describe, quote } from './describe.js';
export { type Change, diffJson } from './diff.js';
export { listOf, objectOf, objectsIn, textOf, textsIn } from './fields.js';
export * from './json.js';
export { parseJson } from './parse.js';
export { toJson } from './to-json.js';
