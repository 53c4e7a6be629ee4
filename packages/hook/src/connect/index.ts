/** Connects the programs on this machine that run agents, and disconnects them without a trace. */

export {
  type AgentConnectOptions,
  ChangedMeanwhileError,
  type FileChange,
  type LeftAlone,
  makeFileChange,
  planConnect,
  planDisconnect,
} from './change-files.js';
export {
  type ConnectedFile,
  createConnectedPaths,
  type Ledger,
  readLedger,
  UnreadableLedgerError,
} from './ledger.js';
export { type Machine, PROGRAM_IDS, PROGRAMS, type Program, type ProgramId } from './programs.js';
export { DISK, type SettingsFiles } from './settings-files.js';
export { type Coverage, type FoundItem, type FoundProgram, surveyMachine } from './survey.js';
