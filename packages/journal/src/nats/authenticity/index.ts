export {
  type AcceptUnsigned,
  type Authenticity,
  createAuthenticity,
  type FoundHead,
  type SignedHead,
} from './authenticity.js';
export { createKeyLine, type KeyRing, type KeySource, parseKeyRing, readKeyRing } from './key-ring.js';
export { createMacs, type Macs, type MacVerdict } from './macs.js';
