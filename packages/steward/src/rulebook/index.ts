export { announcedRules, type RuleOwner, rulesAnnouncement } from './announced-rules.js';
export { decidedByRules, type RuledCall } from './decided-lately.js';
export { type AddedRules, addRules, draftOf, draftRules, type RuleDraft } from './draft-rules.js';
export { type OwnedRules, ownedRules, type RecentDecision, type RuleTally } from './owned-rules.js';
export { defaultInWords, type RuleInWords, ruleInWords, rulesInWords } from './rules-in-words.js';
export { type RulesDraft, readDraft, type TriedDraft, tryDraft } from './try-rules.js';
