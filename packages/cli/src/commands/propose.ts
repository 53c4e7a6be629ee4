import { defined, type JsonObject } from '@proffer/core/json';
import { isMethod, subjectOf } from '@proffer/core/kind';
import { Option } from 'commander';
import { collectArguments, parseObject } from '../arguments.js';
import { EXIT, type ExitCode, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { collect, durationOption, type EndpointOptions, withEndpoint } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { consoleAddress, type Endpoint, inSpace, whereOptions } from '../connection/endpoint.js';
import { newProposalId, proposalMessage } from '../connection/envelopes.js';
import { describeMessage } from '../display/log/message-line.js';
import { printOutcome } from '../display/outcome.js';
import { noteUnserved, printPaused } from '../display/unserved-note.js';
import { awaitOutcome } from '../proposals/await-outcome.js';
import { findProposal } from '../proposals/find-proposal.js';
import { lookInto, servedBy } from '../proposals/served.js';
import { commandAbout, printJson, type Shell, shellWord } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** `proffer propose TOOL`: asks for an operation that you may not run yourself. */
export const addPropose: AddCommands = (program, shell, done) => {
  withEndpoint(
    program
      .command('propose')
      .argument('<tool>', 'the tool (with --method: the prompt, the URI of the resource, or - for none)')
      .description('Propose a tool call and wait for the outcome')
      .option('-a, --arg <key=value>', 'an argument: JSON if it parses, else text; may be repeated', collect)
      .option('--arguments <object>', 'all arguments as a JSON object')
      .option('--to <name>', 'a preferred reviewer; may be repeated', collect)
      .option('--reason <text>', 'why, for the reviewers')
      .option('--ttl <duration>', 'how long it may wait for a decision, such as 5m', durationOption)
      .option(
        '--depends-on <id>',
        'a proposal that has to succeed first, or the beginning of its id; may be repeated',
        collect,
      )
      .addOption(
        new Option(
          '--on-failure <what>',
          'what happens if one of those fails: decline it, or leave it pending',
        ).choices(['decline', 'keep']),
      )
      .option('--method <method>', 'the MCP method', 'tools/call')
      .option('--id <id>', 'its id (default: generated)')
      .option('--wait', 'wait for the outcome', true)
      .option('--no-wait', 'do not wait for the outcome')
      .option('--timeout <duration>', 'stop waiting after this time', durationOption)
      .option('--persist', 'keep waiting when someone rejects it, instead of withdrawing it')
      .addOption(jsonOption())
      .addOption(
        new Option('-o, --output <format>', 'json is the same as --json')
          .choices(['text', 'json'])
          .hideHelp(),
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  ${shell.name} propose echo --arg text=hello
  ${shell.name} propose add --arguments '{"a": 2, "b": 3}' --ttl 5m
  ${shell.name} propose file:///etc/hosts --method resources/read --no-wait`,
    )
    .action(async (tool: string, options: ProposeFlags) => done(await propose(tool, options, shell)));
};

/** `--json`, which prints JSON. With an object it gives the arguments, as it did before `--arguments`. */
function jsonOption(): Option {
  const json = new Option('--json [object]', 'print JSON');
  json.flags = '--json';
  return json;
}

/** Command-line options of `propose`. */
interface ProposeFlags extends EndpointOptions {
  readonly arg?: readonly string[];
  readonly to?: readonly string[];
  readonly reason?: string;
  readonly ttl?: number;
  readonly dependsOn?: readonly string[];
  readonly onFailure?: 'decline' | 'keep';
  readonly wait: boolean;
  readonly timeout?: number;
  readonly persist?: boolean;
  readonly method: string;
  readonly id?: string;
  readonly arguments?: string;
  readonly json?: string | true;
  readonly output?: 'text' | 'json';
}

/** Proposes an operation, and waits for the outcome unless told not to. */
async function propose(tool: string, options: ProposeFlags, shell: Shell): Promise<ExitCode> {
  const operation = operationFrom(tool, options);
  const signal = shell.interruption();
  const connection = connect(options, shell, 'agent', { signal });
  const { style } = shell;
  const answersJson = options.output === 'json' || options.json === true;
  const id = options.id ?? newProposalId();
  const { ttl, to, reason, onFailure } = options;
  const before = (options.dependsOn ?? []).map(
    async (text) => (await findProposal(connection, text, {})).proposal.id,
  );
  const dependsOn = await Promise.all(before);
  const sent = await connection.send(
    proposalMessage(id, operation, { ...defined({ ttl, to, reason }), dependsOn, ...defined({ onFailure }) }),
  );
  const note = answersJson ? [] : await notesOn(operation, connection.endpoint, shell);
  if (!options.wait) {
    if (answersJson) printJson({ ...sent, id }, shell);
    else {
      shell.print(
        `Proposed ${style.bold(visible(id))} at ${visible(connection.endpoint.url)}.`,
        ...nextFor(id, connection.endpoint, shell),
      );
      if (note.length > 0) shell.tell(...note);
    }
    return EXIT.done;
  }
  if (!answersJson) {
    shell.tell(
      `Proposed ${style.bold(visible(id))} at ${visible(connection.endpoint.url)}; waiting for a decision.`,
      ...nextFor(id, connection.endpoint, shell),
      ...note,
    );
  }
  const outcome = await awaitOutcome(connection, id, {
    after: sent.seq ?? 0,
    withdrawWhenRejected: options.persist !== true,
    signal,
    ...defined({ timeout: options.timeout }),
    onLost: () =>
      shell.tell(style.yellow('Connection to the gateway lost; reconnecting. The proposal is stored.')),
    onBack: () => shell.tell('Reconnected; still waiting.'),
    onMessage: (message) => {
      const { who, what, detail } = describeMessage(message, style);
      if (answersJson || message.kind.startsWith('mcp.response')) return;
      shell.tell(`${who} ${what} ${detail}`);
      if (message.kind === 'mcpx.counter.proposal') shell.tell(acceptHint(id, connection.endpoint, shell));
    },
  });
  printOutcome(outcome, shell, answersJson);
  return outcome.exit;
}

/** What to do with a counter-offer (O-40). */
function acceptHint(id: string, endpoint: Endpoint, { name, style }: Shell): string {
  const accept = commandAbout(`${name} accept`, [id], { options: whereOptions(endpoint) });
  return style.dim(`  to accept it, in another terminal:  ${visible(accept)}`);
}

function nextFor(id: string, endpoint: Endpoint, { name, style }: Shell): readonly string[] {
  const at = whereOptions(endpoint);
  const approve = commandAbout(`${name} approve`, [id], { options: at });
  return [
    style.dim(`  to decide, in another terminal:  ${visible(approve)}`),
    style.dim(`  or look at everything pending:   ${name} inbox --watch${visible(at)}`),
    style.dim(`  or in a browser:                 ${visible(consoleAddress(endpoint.url, endpoint.space))}`),
  ];
}

/** What keeps a proposal from running now, as far as the space shows. */
async function notesOn(
  { method, params }: ReturnType<typeof operationFrom>,
  endpoint: Endpoint,
  shell: Shell,
): Promise<readonly string[]> {
  const look = await lookInto(endpoint);
  if (look === undefined) return [];
  const { style, name } = shell;
  const paused = look.paused === undefined ? [] : printPaused(look.paused, whereOptions(endpoint), shell);
  const subject = subjectOf(method, params);
  // Resources described by a template are not listed.
  if (subject === undefined || subject.list === 'resources') return paused;
  const unserved = noteUnserved(subject.name, servedBy(look.members, subject.list), { ...endpoint, style });
  if (unserved.length === 0) return paused;
  const bring = `${name} bridge --url ${visible(shellWord(endpoint.url))}${visible(inSpace(endpoint))} --token … -- COMMAND…`;
  return [...paused, ...unserved, style.dim(`  to add a server:  ${bring}`)];
}

function operationFrom(tool: string, options: ProposeFlags) {
  const { method, arg = [] } = options;
  const old = options.json === true ? undefined : options.json;
  const json = options.arguments ?? old;
  if (!isMethod(method))
    throw usageFailure(`${JSON.stringify(method)} is not an MCP method, such as tools/call.`);
  const isTwice = options.arguments !== undefined && old !== undefined;
  if (isTwice || (json !== undefined && arg.length > 0)) {
    throw usageFailure('--arguments gives all arguments; leave out --arg, and the value of --json.');
  }
  const given = json === undefined ? collectArguments(arg) : parseObject(json, '--arguments');
  return { method, params: paramsFor(method, tool, given) };
}

function paramsFor(method: string, tool: string, given: JsonObject): JsonObject {
  if (method === 'tools/call' || method === 'prompts/get') return { name: tool, arguments: given };
  if (method.startsWith('resources/') && method !== 'resources/list') return { uri: tool, ...given };
  return given;
}
