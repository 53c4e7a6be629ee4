// What can happen to a call of a real agent: who decides what, and the expected result.
import { until } from './machine.mjs';

/**
 * @typedef {import('@proffer/client').Participant} Participant
 * @typedef {import('@proffer/client').PendingProposal} PendingProposal
 *
 * What happens while the agent waits.
 * @typedef {object} Waiting
 * @property {import('./machine.mjs').Machine} machine
 * @property {Participant} reviewer
 * @property {PendingProposal} proposal
 * @property {() => void} killAgent
 * @property {import('./gateway.mjs').Gateway | undefined} gateway
 *
 * What to check when the agent has ended.
 * @typedef {() => Promise<void>} Check
 *
 * @typedef {object} Scene
 * @property {string} name - the model asks for `touch NAME`
 * @property {string} [command] - what it asks for instead
 * @property {(project: string) => { tool: string, arguments: Record<string, string> }} [server] - the tool of an MCP server that it calls
 * instead, with files in this folder
 * @property {readonly string[]} [install] - more options of `proffer hook install`
 * @property {boolean} [withoutRules] - the rules are those that apply without a rule file
 * @property {boolean} [elsewhere] - whether the gateway is a separate process
 * @property {(waiting: Waiting) => Promise<void | Check>} [decide] - absent: nobody is asked, or nobody answers
 * @property {boolean} [isHttp] - asked over HTTP, if the agent supports it
 * @property {boolean} [isDown] - the gateway is stopped before the agent starts
 * @property {readonly string[]} leaves - the files that exist afterwards
 * @property {RegExp} [hears] - what the model was told
 * @property {boolean} [isUndecided] - the agent is told to ask its own user, who is absent
 */

/**
 * Approves a call. When the agent has ended, it has reported how the call ended.
 *
 * @param {Waiting} waiting
 * @param {{ params?: import('@proffer/core/json').JsonObject, isError?: boolean }} [expected]
 * @returns {Promise<Check>}
 */
async function approve({ reviewer, proposal }, { params, isError = false } = {}) {
  const reported = reviewer.fulfil(proposal, params);
  reported.catch(() => {});
  return async () => {
    const result = await Promise.race([reported, until(() => undefined, REPORTED).catch(() => undefined)]);
    const said = /** @type {{ isError?: boolean } | undefined} */ (result);
    if (said === undefined) throw new Error('The agent did not report how the call ended.');
    if ((said.isError ?? false) !== isError) throw new Error(`The agent reported ${JSON.stringify(said)}.`);
  };
}

/** How long a report may take after the agent has ended, in milliseconds. */
const REPORTED = 5_000;

/** @type {readonly Scene[]} */
export const SCENES = [
  {
    name: 'reads_by_default',
    command: 'ls -a && cat .given',
    withoutRules: true,
    leaves: [],
    hears: /What was there before\./,
  },
  {
    name: 'writes_by_default',
    withoutRules: true,
    leaves: ['writes_by_default'],
    decide: (waiting) => approve(waiting),
  },
  { name: 'allowed', leaves: ['allowed'] },
  { name: 'denied', leaves: [], hears: /Not on this machine\./ },
  {
    name: 'approved',
    leaves: ['approved'],
    decide: (waiting) => approve(waiting),
  },
  {
    name: 'fails',
    command: 'touch fails; exit 3',
    leaves: ['fails'],
    decide: (waiting) => approve(waiting, { isError: true }),
  },
  {
    name: 'edited',
    leaves: ['changed'],
    decide: (waiting) => {
      const { arguments: args, ...rest } = /** @type {{ arguments: object }} */ (waiting.proposal.params);
      return approve(waiting, { params: { ...rest, arguments: { ...args, command: 'touch changed' } } });
    },
  },
  {
    name: 'rejected',
    leaves: [],
    hears: /Not on a Friday\./,
    decide: async ({ reviewer, proposal }) => {
      await reviewer.reject(proposal.id, 'policy', 'Not on a Friday.');
    },
  },
  {
    name: 'approved_over_http',
    isHttp: true,
    leaves: ['approved_over_http'],
    decide: (waiting) => approve(waiting),
  },
  { name: 'undecided', install: ['--wait', '2s'], leaves: [], isUndecided: true },
  {
    name: 'undecided_deny',
    install: ['--wait', '5s', '--otherwise', 'deny'],
    leaves: [],
    hears: /Not decided within 5 seconds/,
  },
  {
    name: 'hook_killed',
    leaves: [],
    isUndecided: true,
    decide: ({ machine }) => machine.killResident(),
  },
  {
    name: 'agent_killed',
    leaves: [],
    decide: async ({ reviewer, proposal, killAgent }) => {
      killAgent();
      await until(() => (reviewer.pending.some(({ id }) => id === proposal.id) ? undefined : true));
      const refused = await reviewer.fulfil(proposal).then(
        () => false,
        () => true,
      );
      if (!refused) throw new Error('An approval that came too late was taken.');
    },
  },
  {
    name: 'gateway_restarted',
    elsewhere: true,
    leaves: ['gateway_restarted'],
    decide: async ({ gateway, reviewer, proposal }) => {
      await gateway?.stop('SIGKILL');
      await gateway?.start();
      await until(() => (reviewer.isConnected ? true : undefined));
      // The hook must have returned before it can be told.
      await until(() =>
        reviewer.approve(proposal).then(
          () => true,
          () => undefined,
        ),
      );
    },
  },
  {
    name: 'gateway_down',
    elsewhere: true,
    isDown: true,
    install: ['--wait', '3s'],
    leaves: [],
    isUndecided: true,
  },
];

/**
 * Scenes for agents whose MCP servers are guarded.
 *
 * @type {readonly Scene[]}
 */
export const SERVER_SCENES = [
  {
    name: 'reads',
    server: (project) => ({ tool: 'read_text_file', arguments: { path: `${project}/.given` } }),
    leaves: [],
    hears: /What was there before\./,
  },
  {
    name: 'denied',
    server: (project) => ({
      tool: 'move_file',
      arguments: { source: `${project}/.given`, destination: `${project}/denied` },
    }),
    leaves: [],
    hears: /Not on this machine\./,
  },
  {
    name: 'approved',
    server: (project) => write(project, 'approved'),
    leaves: ['approved'],
    hears: /Successfully wrote/,
    decide: (waiting) => approve(waiting),
  },
  {
    name: 'rejected',
    server: (project) => write(project, 'rejected'),
    leaves: [],
    hears: /Not on a Friday\./,
    decide: async ({ reviewer, proposal }) => {
      await reviewer.reject(proposal.id, 'policy', 'Not on a Friday.');
    },
  },
];

/**
 * @param {string} project
 * @param {string} name
 */
function write(project, name) {
  return { tool: 'write_file', arguments: { path: `${project}/${name}`, content: name } };
}
