import {
  type CallFacts,
  decideByRules,
  type RuleAction,
  type RuleDecision,
  type RuleSet,
} from '@proffer/steward';
import type { PathContext, PathLookup } from '@proffer/steward/disk';
import {
  namesPlace,
  type PathNames,
  type RuleUsage,
  runLaterAt,
  WITHOUT_RULES,
} from '@proffer/steward/guard';
import { type HookCall, isAgentId } from '../agents/index.js';
import { isPermission } from '../launch/index.js';
import type { OwnRules } from '../permissions/index.js';
import type { ShellCommand } from '../shell/index.js';
import { namesAllHosts } from './command-hosts.js';
import { leavesFiles } from './git-commands.js';
import { piecesOf } from './pieces.js';
import { objectionTo, type Protected } from './protections.js';

/** Everything that a decision about a call depends on. */
export interface Grounds {
  readonly rules: RuleSet;
  /** How often rules with a rate have allowed something. */
  readonly usage?: RuleUsage;
  readonly guarded: Protected;
  /** The agent's own lists; `undefined` if there are none, or if they do not count. */
  readonly own?: (call: HookCall) => OwnRules | undefined;
  readonly home: string;
  /** Where paths lead. */
  readonly disk: PathLookup;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const STRICTNESS: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** The decision about a call. */
export type HookDecision = RuleDecision & {
  /** A person must be asked each time: its effect is unclear, or may touch something protected. */
  readonly isProtected?: true;
  /** The agent's own list allows it, so that the agent is left to it. */
  readonly isAgents?: true;
};

/**
 * Decides a call without asking anyone: the built-in protections first, then the rules for every
 * command in it. The strictest answer wins. If it is unclear, a person decides.
 */
export function decideCall(call: HookCall, grounds: Grounds): HookDecision {
  return judgeCall(call, grounds).decision;
}

/** A decision, and what it was made of. */
export interface JudgedPieces {
  readonly decision: HookDecision;
  /** Absent if a protection denies the call. */
  readonly each?: readonly { readonly facts: CallFacts; readonly decision: HookDecision }[];
}

/** Decides a call, with the decision about each piece of the call. */
export function judgeCall(call: HookCall, grounds: Grounds): JudgedPieces {
  const { rules, usage, guarded, time, home, disk } = grounds;
  const { effect } = call;
  const from = effect.type === 'shell' && typeof effect.folder === 'string' ? { from: effect.folder } : {};
  const pathContext: PathContext = { home, folder: call.folder, disk, ...from };
  const pieces = piecesOf(call, pathContext, time);
  const objection = objectionTo(call, pieces, { guarded, pathContext });
  if (objection?.action === 'deny')
    return { decision: { ...objection, version: BUILT_IN, isProtected: true } };
  const own = grounds.own?.(call);
  const isListed = mayBeListed(call);
  const decisions: HookDecision[] = pieces.facts.map((facts, index) => {
    const ours = judge(facts, rules, usage);
    const decision = own === undefined ? ours : withOwn(ours, facts, { own, isListed });
    return decision.action === 'allow' ? hinted(decision, facts, pieces.hints[index] ?? [], rules) : decision;
  });
  const each = pieces.facts.map((facts, index) => ({ facts, decision: decisions[index] as HookDecision }));
  // What the name of a tool may mean counts only against it.
  const meanings = (call.mayBe ?? []).flatMap((meaning) =>
    pieces.facts.map((facts) => judge({ ...facts, ...meaning }, rules, usage)),
  );
  decisions.push(...meanings.filter(({ action, rule }) => action !== 'allow' && rule !== undefined));
  if (objection !== undefined) decisions.push({ ...objection, version: BUILT_IN });
  const setting = pieces.facts.flatMap((facts, index) => unnamedVariables(facts, rules, decisions[index]));
  const hosts = pieces.commands.flatMap((command, index) => unnamedHosts(command, rules, decisions[index]));
  const [why] = [...pieces.unknown, ...setting, ...hosts];
  if (why !== undefined)
    decisions.push({ action: 'ask', reason: `Part of it cannot be checked: ${why}.`, version: BUILT_IN });
  const [later] = pieces.facts.flatMap((facts, index) => unnamedRunLater(facts, rules, decisions[index]));
  if (later !== undefined) decisions.push({ action: 'ask', reason: later, version: BUILT_IN });
  const strictest = decisions.reduce((one, other) =>
    STRICTNESS[other.action] > STRICTNESS[one.action] ? other : one,
  );
  const ours = decisions.filter(({ isAgents }) => isAgents !== true);
  if (strictest.action === 'allow') for (const each of ours) usage?.count(rules, each, time);
  const decision =
    strictest.action === 'allow' ? (decisions.find(({ isAgents }) => isAgents) ?? strictest) : strictest;
  const isPlain = objection === undefined && why === undefined && later === undefined;
  return { decision: isPlain ? decision : { ...decision, isProtected: true }, each };
}

/**
 * Whether what the agent's own lists allow counts for a call. It does not when the agent asks: then no entry allows the
 * call. Nor in a mode in which the agent asks nobody: an entry that is read too widely here would then run. Nor for an MCP
 * server that is named like an agent, whose tools would pass for the agent's own.
 */
function mayBeListed({ event, asksNobody, mcp }: HookCall): boolean {
  return !isPermission(event) && asksNobody !== true && !isAgentId(mcp?.server ?? '');
}

/**
 * A decision together with the agent's own lists. What they are against counts always. What they allow counts where no
 * rule of ours says anything.
 */
function withOwn(
  decision: RuleDecision,
  facts: CallFacts,
  { own, isListed }: { readonly own: OwnRules; readonly isListed: boolean },
): HookDecision {
  const { rule, action, reason } = judge(facts, own.against, undefined);
  if (rule !== undefined && STRICTNESS[action] > STRICTNESS[decision.action])
    return { action, reason, version: AGENT_SETTINGS };
  if (decision.action !== 'ask' || decision.rule !== undefined || !isListed) return decision;
  const allowed = decideByRules(own.allows, facts);
  const isClear = unnamedVariables(facts, own.allows, allowed).length === 0;
  if (allowed.action !== 'allow' || !isClear) return decision;
  return { action: 'allow', reason: allowed.reason, version: AGENT_SETTINGS, isAgents: true };
}

/** A denial based on something unknown, such as `$x`, is left to a person: it may be about anything. */
function judge(facts: CallFacts, rules: RuleSet, usage: RuleUsage | undefined): RuleDecision {
  const decision = decideByRules(rules, facts, usage);
  if (decision.action !== 'deny') return decision;
  const { paths, hosts, server } = facts;
  const certain: CallFacts = {
    ...facts,
    ...(paths === undefined ? {} : { paths: paths.filter((names) => names.length > 0) }),
    ...(hosts === undefined ? {} : { hosts: hosts.filter((host) => host !== null) }),
    // A name that no server has.
    server: server ?? facts.tool,
  };
  if (decideByRules(rules, certain, usage).action === 'deny') return decision;
  return { ...decision, action: 'ask', reason: `A rule might deny it. ${decision.reason}` };
}

/** A path in a text, such as `open('.env')`, is no certain one: if a rule is against it, a person decides. */
function hinted(
  decision: RuleDecision,
  facts: CallFacts,
  hints: readonly PathNames[],
  rules: RuleSet,
): RuleDecision {
  if (hints.length === 0) return decision;
  const other = decideByRules(rules, { ...facts, paths: hints });
  if (other.action === 'allow' || other.rule === undefined) return decision;
  return { ...other, action: 'ask', reason: `A rule might ${other.action} it. ${other.reason}` };
}

/** A variable may change what a command does, so only a rule about the command, which names both, allows it. */
function unnamedVariables(
  { command }: CallFacts,
  { rules }: RuleSet,
  decision: HookDecision | undefined,
): readonly string[] {
  if (decision?.isAgents === true) return [];
  const rule = rules.find(({ index }) => index === decision?.rule?.index);
  const isNamed = rule?.conditions.some(({ about }) => about === 'command') === true;
  if (decision?.action !== 'allow' || isNamed) return [];
  return (command?.variables ?? []).map(({ name }) => `it sets the variable ${name}, which no rule names`);
}

/**
 * A file that another program runs later may be changed only by a rule that names it. A `path` condition sees to that
 * itself. Of several patterns for commands, one that matches must name all such files. Commands of git that only record
 * such files or show them need not be named.
 */
function unnamedRunLater(
  facts: CallFacts,
  { rules }: RuleSet,
  decision: HookDecision | undefined,
): readonly string[] {
  const { paths = [], command, annotations } = facts;
  const isOurs = decision?.action === 'allow' && decision.isAgents !== true;
  if (!isOurs || annotations?.readOnlyHint === true) return [];
  const conditions = rules.find(({ index }) => index === decision.rule?.index)?.conditions ?? [];
  if (conditions.some(({ about }) => about === 'path')) return [];
  const about = conditions.find((condition) => condition.about === 'command');
  if (about !== undefined && leavesFiles(command?.words ?? [])) return [];
  const places = paths.filter((names) => runLaterAt(names).length > 0);
  const patterns = about?.matching?.(facts) ?? [];
  if (patterns.some((pattern) => places.every((names) => namesPlace(pattern, names)))) return [];
  return places
    .flatMap(runLaterAt)
    .map((name) => `It changes ${name}, which other programs run or take settings from.`);
}

/** A rule that allows some hosts allows only a command that names all it talks to. */
function unnamedHosts(
  command: ShellCommand,
  { rules }: RuleSet,
  decision: HookDecision | undefined,
): readonly string[] {
  const rule = rules.find(({ index }) => index === decision?.rule?.index);
  const isAboutHosts = rule?.conditions.some(({ about }) => about === 'host') === true;
  if (decision?.action !== 'allow' || !isAboutHosts || namesAllHosts(command)) return [];
  return [`${command.words[0]?.value} might also talk to other hosts`];
}

/** The placeholder for the version of the rules if none decided. */
export const BUILT_IN = WITHOUT_RULES.builtIn;

/** What is said if the agent's own lists decided. */
const AGENT_SETTINGS = WITHOUT_RULES.agentSettings;
