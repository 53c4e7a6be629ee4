export {
  type AcceptUnsigned,
  type Authenticity,
  createAuthenticity,
  type FoundHead,
  type SignedHead,
} from './authenticity.js';
export {
  createKeyLine,
  createMacs,
  type KeyRing,
  type KeySource,
  type Macs,
  type MacVerdict,
  parseKeyRing,
  readKeyRing,
} from './key-ring.js';
