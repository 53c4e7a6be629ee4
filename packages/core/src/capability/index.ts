export { type Authorizable, authorize, authorizeToSome, mayAct } from './authorize.js';
export { type Capability, type CapabilitySource, leavesOut, parseCapability } from './capability.js';
export { type CompiledCapabilities, compileCapabilities } from './compiled-capabilities.js';
export {
  foldName,
  foldText,
  isDisguised,
  isDoubtfulPath,
  type Lookalike,
  lookalikesOf,
  looksLike,
} from './deny-match.js';
export { compileGlob, type Glob, matchGlob } from './glob.js';
export { operationsInstead } from './kind-pattern.js';
export { type PayloadMatcher, parsePayloadPattern } from './payload-pattern.js';
export {
  REVOCATION_SPACE,
  REVOCATION_STREAM,
  type RevokedTokens,
  revokedTokens,
  type TokenRecord,
  type TokensReplaced,
} from './revoked-tokens.js';
