export { describeJournalContract, type JournalUnderTest, type OpenJournal } from './journal-contract.js';
export {
  type NatsServer,
  type NatsServers,
  type NatsServersOptions,
  startNatsServers,
} from './nats-servers.js';
export { appended, collect, sample, texts } from './sample.js';
