import { relative } from 'node:path';
import { formatPath, quote } from '@proffer/core/json';
import { listed, type MapTree, nearest, type Path, type Report } from '@proffer/reading';
import type { ChannelTypes, GatewayConfig, ParticipantConfig } from './config.js';
import { journalFiles, type NamedFile } from './journal/index.js';
import type { ParseConfigOptions } from './parse-config.js';
import { type Address, formatAddress, isLoopback } from './read/address.js';
import { formatDuration, formatSize } from './read/quantity.js';
import { findTree, keyPlaceOf, placeOf } from './read/tree.js';

/** Reports keys that are valid on their own but not together. */
export function checkConfig(
  config: GatewayConfig,
  root: MapTree,
  report: Report,
  { isReadable, channelTypes = {} }: Pick<ParseConfigOptions, 'isReadable' | 'channelTypes'>,
): void {
  const problem = (path: Path, message: string, suggestion?: string) =>
    report(placeOf(root, path), formatPath(path), message, suggestion);
  const isWritten = (key: string) => findTree(root, [key]) !== undefined;
  checkListeners(config, isWritten('tls'), problem);
  checkTimes(config, problem);
  checkNotify(config, channelTypes, problem);
  if (config.oidc !== undefined && !isWritten('jwt')) {
    problem(['console', 'oidc'], 'Signing in needs a token issuer: set jwt.');
  }
  // Without a valid list of spaces, every space name would look wrong.
  if (!isWritten('spaces') || findTree(root, ['spaces'])?.kind === 'map') checkSpaces(config, root, report);
  checkReviewers(config, problem);
  checkSigned(config, problem);
  checkEvidence(config, problem);
  checkDurability(config, problem);
  const { messageSize, unacknowledgedPerConnection } = config.limits;
  if (unacknowledgedPerConnection < messageSize) {
    const message = `This must be at least message_size (${formatSize(messageSize)}), or the largest messages could not be delivered.`;
    problem(['limits', 'unacknowledged_per_connection'], message);
  }
  if (isReadable === undefined) return;
  const { tls, journal, evidence } = config;
  const files: readonly NamedFile[] = [
    [['tls', 'cert'], tls?.cert],
    [['tls', 'key'], tls?.key],
    [['evidence', 'key'], evidence?.key],
    ...journalFiles(journal),
  ];
  for (const [path, file] of files) {
    if (file !== undefined && !isReadable(file)) problem(path, `The file ${quote(file)} cannot be read.`);
  }
}

/** What parties accept in a session carries no signature, so it could never count in a space that demands one. */
function checkSigned({ spaces }: GatewayConfig, problem: ReportProblem): void {
  for (const [name, { signed, review = [] }] of spaces) {
    const place = review.findIndex(({ by }) => by !== undefined);
    if (signed === true && place !== -1)
      problem(
        ['spaces', name, 'review', place, 'by'],
        `The space demands signed approvals, and what is said in a session is not signed. Leave out by, or spaces.${name}.signed.`,
      );
  }
}

/** Whoever can write the journal must not be able to sign for it. */
function checkEvidence({ evidence, journal }: GatewayConfig, problem: ReportProblem): void {
  if (evidence === undefined || journal.backend !== 'local') return;
  if (!/^\.\.(?:[/\\]|$)/.test(relative(journal.path, evidence.key)))
    problem(
      ['evidence', 'key'],
      'The key is in the folder of the journal, so whoever can change the journal could sign it. Keep it elsewhere.',
    );
}

/** Reports a configuration that lets nobody in, and says how to create a token. */
export function checkEntry({ dev, tokens, jwt }: GatewayConfig, root: MapTree, report: Report): void {
  if (dev || tokens.length > 0 || jwt !== undefined) return;
  const message =
    'Nobody would be able to connect: there are no tokens and no jwt. Create a token with `proffer token NAME`, give it to the participant, and add the printed hash to participants.NAME.tokens; or set jwt; or, to try things out on this machine, set dev: true.';
  report(root.at, '', message);
}

type ReportProblem = (path: Path, message: string, suggestion?: string) => void;

function checkListeners({ dev, listen }: GatewayConfig, hasTls: boolean, problem: ReportProblem): void {
  const { http, grpc, metrics } = listen;
  const listeners: [string, Address | undefined][] = [
    ['http', http],
    ['grpc', grpc],
    ...(dev ? [['metrics', metrics] as [string, Address | undefined]] : []),
  ];
  for (const [key, address] of listeners) {
    if (address === undefined || isLoopback(address.host)) continue;
    const path = ['listen', key];
    const shown = formatAddress(address);
    if (dev) {
      const message = `In dev mode anyone who reaches the gateway can act as anyone, so it listens on loopback addresses only, not on ${shown}. Use a loopback address, or turn dev off and create tokens.`;
      problem(path, message, formatAddress({ host: '127.0.0.1', port: address.port }));
    } else if (!hasTls && !listen.allowInsecure) {
      problem(
        path,
        `Others can reach ${shown}, and tokens would cross the network unencrypted. Set tls.cert and tls.key, or listen.allow_insecure: true if a proxy in front of the gateway terminates TLS.`,
      );
    }
  }
  if (http === undefined && grpc === undefined) {
    problem(['listen'], 'Both listeners are off; nobody would be able to connect.');
  } else if (http !== undefined && grpc !== undefined && http.port !== 0) {
    if (formatAddress(http) === formatAddress(grpc))
      problem(['listen', 'grpc'], 'listen.http has the same address; each listener needs its own.');
  }
}

const FORGOTTEN =
  'After a power cut, the gateway may have forgotten an approval of the last 10 ms, and its call could run a second time.';

/**
 * After a power cut, a journal that is synced later may have forgotten an approval whose call has run. A second
 * approval would run it again. Where that must not happen, the journal keeps the default.
 */
function checkDurability(config: GatewayConfig, problem: ReportProblem): void {
  const { journal, spaces, participants, unlistedSubjects } = config;
  if (journal.backend !== 'local' || journal.durability !== 'process') return;
  const report = (what: string, why = FORGOTTEN): void =>
    problem(['journal', 'durability'], `${what} ${why} Use durability: power.`);
  const [runner] = [...participants].find(([, { runsOwnCalls }]) => runsOwnCalls) ?? [];
  const unlisted = unlistedSubjects === undefined ? [] : [unlistedSubjects, ...unlistedSubjects.claims];
  if (runner !== undefined)
    report(`The participant ${quote(runner)} runs its own calls, as guards and hooks do.`);
  else if (unlisted.some(({ runsOwnCalls }) => runsOwnCalls))
    report('Subjects of jwt.unlisted_subjects run their own calls, as guards and hooks do.');
  else if (config.dev) report('In dev mode, any name may run its own calls, as guards and hooks do.');
  const [reviewed] = [...spaces].find(([, { review = [] }]) => review.length > 0) ?? [];
  if (reviewed !== undefined) report(`The space ${quote(reviewed)} has review policies.`);
  if (config.evidence !== undefined)
    report(
      'The gateway signs its journal (evidence).',
      'After a power cut, a signed record could be missing.',
    );
}

function checkTimes(config: GatewayConfig, problem: ReportProblem): void {
  const {
    spaces,
    journal: { retention },
    shutdown: { notReadyFor, timeout },
  } = config;
  if (notReadyFor >= timeout) {
    const message = `It must be longer than not_ready_for, ${formatDuration(notReadyFor)}: messages in flight get the rest of the time.`;
    problem(['shutdown', 'timeout'], message);
  }
  for (const [name, { defaultTtl, maxTtl, dedupWindow }] of spaces) {
    if (retention !== undefined && retention < dedupWindow) {
      const message = `It is shorter than dedup_window in the space ${name}, ${formatDuration(dedupWindow)}, in which resent messages are recognised.`;
      problem(['journal', 'retention'], message);
    }
    if (defaultTtl !== undefined && maxTtl !== undefined && defaultTtl > maxTtl) {
      problem(['spaces', name, 'default_ttl'], `It is longer than max_ttl, ${formatDuration(maxTtl)}.`);
    }
  }
}

/**
 * Reports people and roles in review policies that nobody can be (O-28). In dev mode, and where an issuer's
 * subjects may enter, anyone may still come with that name or role.
 */
function checkReviewers(
  { dev, spaces, participants, unlistedSubjects }: GatewayConfig,
  problem: ReportProblem,
): void {
  if (dev || unlistedSubjects !== undefined) return;
  const roles = new Set([...participants.values()].flatMap((each) => each.roles));
  const known = new Set([...participants.keys(), ...Array.from(roles, (role) => `role:${role}`)]);
  /** The participants of a space whom a name or a role means. */
  const whoIs = (name: string, space: string): ReadonlySet<string> => {
    const there = [...participants].filter(([, each]) => each.spaces.has(space));
    const meant = there.filter(
      ([own, each]) => own === name || each.roles.some((role) => `role:${role}` === name),
    );
    return new Set(meant.map(([own]) => own));
  };
  for (const [space, { review = [] }] of spaces) {
    for (const [index, { from, escalate, agents, proposers, approvals }] of review.entries()) {
      const at = ['spaces', space, 'review', index];
      const named: readonly (readonly [Path, readonly string[]])[] = [
        [['proposers'], proposers],
        [['from'], from],
        ...escalate.map(({ to }, step) => [['escalate', step, 'to'], to] as const),
        [['agents', 'from'], agents?.from ?? []],
      ];
      for (const [key, names] of named) {
        for (const [place, name] of names.entries()) {
          const path = [...at, ...key, place];
          const verb = key[0] === 'proposers' ? 'propose' : 'approve';
          if (!known.has(name)) problem(path, nobodyIs(name, verb), nearest(name, known));
          else if (whoIs(name, space).size === 0) problem(path, nobodyThere(name, space, verb));
        }
      }
      const asked = [...from, ...escalate.flatMap(({ to }) => to)];
      const approvers = new Set(asked.flatMap((name) => [...whoIs(name, space)]));
      // With names alone, the entry has been checked already; without anyone, each name.
      const isByRole = asked.some((name) => name.startsWith('role:'));
      if (from.length > 0 && isByRole && approvers.size > 0 && approvers.size < approvals) {
        const message = `There can never be ${approvals} approvals: only ${listed(approvers)} may approve. Name more people, or require fewer approvals.`;
        problem([...at, 'approvals'], message);
      }
    }
  }
}

function nobodyIs(name: string, verb: 'propose' | 'approve'): string {
  return name.startsWith('role:')
    ? `No participant has the role ${quote(name.slice('role:'.length))}, so nobody could ${verb} in that role. Add the role to a participant.`
    : `No participant is named ${quote(name)}, so nobody could ${verb} by that name.`;
}

function nobodyThere(name: string, space: string, verb: 'propose' | 'approve'): string {
  return name.startsWith('role:')
    ? `Nobody with the role ${quote(name.slice('role:'.length))} may enter the space ${quote(space)}, so nobody could ${verb} in that role. Give a participant with the role capabilities there.`
    : `${quote(name)} may not enter the space ${quote(space)}, so it could never ${verb} there. Give it capabilities there.`;
}

function checkSpaces(
  { spaces, participants, unlistedSubjects }: GatewayConfig,
  root: MapTree,
  report: Report,
): void {
  const others = ['jwt', 'unlisted_subjects'];
  const claims = unlistedSubjects?.claims ?? [];
  const entering: readonly { readonly at: Path; readonly rights: Pick<ParticipantConfig, 'spaces'> }[] = [
    ...Array.from(participants, ([name, rights]) => ({ at: ['participants', name], rights })),
    ...(unlistedSubjects === undefined ? [] : [{ at: others, rights: unlistedSubjects }]),
    ...claims.map((rights, index) => ({ at: [...others, 'claims', index], rights })),
  ];
  for (const { at, rights } of entering) {
    for (const space of rights.spaces.keys()) {
      if (spaces.has(space)) continue;
      const message = `Unknown space ${quote(space)}; the spaces are ${listed(spaces.keys())}.`;
      const path = [...at, 'spaces', space];
      report(keyPlaceOf(root, path), formatPath(path), message, nearest(space, spaces.keys()));
    }
  }
}

/** Reports notification routes that lead nowhere. */
function checkNotify(
  { notify, participants, spaces }: GatewayConfig,
  channelTypes: ChannelTypes,
  problem: (path: Path, message: string, suggestion?: string) => void,
): void {
  if (notify === undefined) return;
  for (const [name, routes] of notify.participants) {
    const at = ['notify', 'participants', name];
    const known = participants.get(name);
    if (known === undefined) {
      problem(at, `Unknown participant ${quote(name)}.`, nearest(name, [...participants.keys()]));
    }
    routes.forEach(({ channel, to, token, spaces: named = [] }, index) => {
      const place = [...at, index];
      const found = notify.channels.get(channel);
      const names = [...notify.channels.keys()];
      if (found === undefined) {
        const there = names.length === 0 ? 'none are configured' : `the channels are ${listed(names)}`;
        problem(
          [...place, 'channel'],
          `Unknown channel ${quote(channel)}; ${there}.`,
          nearest(channel, names),
        );
        return;
      }
      const written = { to, token };
      for (const [key, needs] of Object.entries(channelTypes[found.type]?.routeNeeds ?? {})) {
        if (written[key as keyof typeof written] === undefined)
          problem(place, `A ${found.type} channel needs \`${key}\`: ${needs}.`);
      }
      for (const space of named) {
        if (!spaces.has(space))
          problem([...place, 'spaces'], `Unknown space ${quote(space)}.`, nearest(space, [...spaces.keys()]));
      }
    });
  }
}
