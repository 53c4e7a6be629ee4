export { faultyDisk } from '../local/testing/faulty-disk.js';
export { freePorts } from './free-ports.js';
export { describeJournalContract, type JournalUnderTest, type OpenJournal } from './journal-contract.js';
export { type Intruder, openIntruder, type SeenMessage } from './nats-intruder.js';
export {
  type NatsConfig,
  type NatsServer,
  type NatsServers,
  type NatsServersOptions,
  natsConfig,
  natsSettings,
  startNatsServers,
  TEST_ACCESS,
} from './nats-servers.js';
export { asOrdinaryUser } from './ordinary-user.js';
export { appended, collect, saltedSample, sample, texts } from './sample.js';
