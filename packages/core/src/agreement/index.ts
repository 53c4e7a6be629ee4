export { agreementOf, callInOffer, isAboutCall, scopeToCommit } from './agreement-of.js';
export { attachCall, CALL_KEY, digestInScope, readAttachedCall, scopeOf } from './attached-call.js';
