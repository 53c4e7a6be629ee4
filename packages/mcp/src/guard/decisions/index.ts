/** What the rules decide about calls, and the record of it in the space. */

export { decideCall, denySubject } from './decide-call.js';
export { DecisionRecords, type RecordedDecisions } from './decision-records.js';
