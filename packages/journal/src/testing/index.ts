export { describeJournalContract, type JournalUnderTest, type OpenJournal } from './journal-contract.js';
export { appended, collect, sample, texts } from './sample.js';
