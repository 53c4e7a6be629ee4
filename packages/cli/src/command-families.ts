import type { Command } from 'commander';
import type { ExitCode } from './command-failure.js';
import type { Shell } from './terminal/shell.js';

/** Adds some commands to the program. */
export type AddCommands = (program: Command, shell: Shell, done: (code: ExitCode) => void) => void;

/** A group of commands defined in one file, and how to load it. */
export interface CommandFamily {
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommands>;
}

/**
 * Every command, in help order. These files have the syntax of commands and what they do. Where that needs a gateway, an
 * MCP proxy or rules, it is in `actions` and loaded only to run it: they take longer to load than most commands to run.
 */
export const COMMAND_FAMILIES: readonly CommandFamily[] = [
  {
    names: ['connect', 'disconnect'],
    load: async () => (await import('./commands/connect.js')).addConnect,
  },
  { names: ['guard'], load: async () => (await import('./commands/guard/guard.js')).addGuard },
  { names: ['hook'], load: async () => (await import('./commands/hook.js')).addHook },
  { names: ['watch'], load: async () => (await import('./commands/watch.js')).addWatch },
  { names: ['inbox'], load: async () => (await import('./commands/inbox.js')).addInbox },
  { names: ['show'], load: async () => (await import('./commands/show.js')).addShow },
  { names: ['propose'], load: async () => (await import('./commands/propose.js')).addPropose },
  { names: ['up'], load: async () => (await import('./commands/up.js')).addUp },
  { names: ['doctor'], load: async () => (await import('./commands/doctor.js')).addDoctor },
  { names: ['approve'], load: async () => (await import('./commands/approve.js')).addApprove },
  {
    names: ['reject', 'status', 'withdraw', 'renew'],
    load: async () => (await import('./commands/decide.js')).addDecisions,
  },
  { names: ['counter', 'accept'], load: async () => (await import('./commands/counter.js')).addCounter },
  { names: ['grant', 'revoke'], load: async () => (await import('./commands/grant.js')).addGrant },
  { names: ['delegate'], load: async () => (await import('./commands/delegate.js')).addDelegate },
  { names: ['keys'], load: async () => (await import('./commands/keys.js')).addKeys },
  { names: ['pause', 'resume'], load: async () => (await import('./commands/pause.js')).addPause },
  { names: ['policy'], load: async () => (await import('./commands/policy.js')).addPolicy },
  { names: ['steward'], load: async () => (await import('./commands/steward.js')).addSteward },
  { names: ['rules'], load: async () => (await import('./commands/rules.js')).addRules },
  {
    names: ['negotiate'],
    load: async () => (await import('./negotiation/index.js')).addNegotiate,
  },
  { names: ['log'], load: async () => (await import('./commands/log.js')).addLog },
  {
    names: ['replay', 'verify', 'repair', 'copy', 'compact'],
    load: async () => (await import('./commands/journal.js')).addJournal,
  },
  { names: ['witness'], load: async () => (await import('./commands/witness.js')).addWitness },
  { names: ['evidence'], load: async () => (await import('./commands/evidence.js')).addEvidence },
  { names: ['checkpoint'], load: async () => (await import('./commands/checkpoint.js')).addCheckpoint },
  { names: ['init', 'token', 'key'], load: async () => (await import('./commands/init.js')).addInit },
  { names: ['login', 'logout'], load: async () => (await import('./commands/login.js')).addLogin },
  { names: ['devices'], load: async () => (await import('./commands/guard/devices.js')).addDevices },
  { names: ['notify'], load: async () => (await import('./commands/notify.js')).addNotify },
  { names: ['bridge'], load: async () => (await import('./commands/guard/bridge.js')).addBridge },
  {
    names: ['completion', 'complete-ids'],
    load: async () => (await import('./commands/completion.js')).addCompletion,
  },
];

/**
 * The families a command line needs: that of its command; all for help, completion and mistakes; none for the
 * version.
 */
export function familiesFor(line: readonly string[]): readonly CommandFamily[] {
  const [command = ''] = line;
  if (command === '--version' || command === '-V') return [];
  if (command === 'completion') return COMMAND_FAMILIES;
  const family = COMMAND_FAMILIES.find(({ names }) => names.includes(command));
  return family === undefined ? COMMAND_FAMILIES : [family];
}
