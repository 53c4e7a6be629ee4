import { type Kind, parseKind, type ServedList } from './kind.js';
import { checkAnnouncedRules, checkAnnouncement } from './payloads/announcement.js';
import {
  checkAcceptance,
  checkApproval,
  checkCounter,
  checkDelegation,
  checkPause,
} from './payloads/approval.js';
import { checkChat } from './payloads/chat.js';
import { checkGrant, checkRevocation } from './payloads/grant.js';
import { checkRequest, checkResponse } from './payloads/json-rpc.js';
import { checkKeyCode, checkKeyRevocation, checkNewKey } from './payloads/keys.js';
import { checkRejection, checkRenewal, checkStatus, checkWithdrawal } from './payloads/lifecycle.js';
import { checkInvitation, checkKick } from './payloads/membership.js';
import { checkNothing, checkParticipantPause } from './payloads/participant.js';
import type { PayloadCheck } from './payloads/payload-check.js';
import { checkProposal } from './payloads/proposal.js';

/** Everything that differs between kinds of messages, apart from the decision itself. */
interface KindEntry {
  readonly check: PayloadCheck;
  readonly route: KindRoute;
  /**
   * True for kinds that let their sender decide for others. They cannot be granted (O-41), and only `*`
   * and patterns that spell out the operation cover them: a pattern written before the kind existed
   * does not (O-44).
   */
  readonly decidesForOthers: boolean;
}

/**
 * What decides a message of a kind. Each command must have a row in the tables of `operations`, or it
 * does not compile.
 */
type KindRoute =
  | {
      readonly entity: 'proposal';
      readonly command: string;
      /**
       * Which proposals its correlation ids refer to: `named`, all of them; `countered`, the one that a
       * counter-offer was made for.
       */
      readonly ids: 'own' | 'named' | 'countered';
      /** The space command of a message that names no proposal. Default: it must name one. */
      readonly otherwise?: string;
    }
  | { readonly entity: 'space'; readonly command: string }
  /** Depends on the history: a request may fulfil a proposal, a response may answer a fulfilment. */
  | { readonly entity: 'request' | 'response' }
  /** Stored in the stream of its sender, who may announce with it what it serves. */
  | { readonly entity: 'participant'; readonly announces?: ServedList };

const TO_SENDER_STREAM = { entity: 'participant' } as const;

/** The kinds that Proffer acts on; METHOD stands for any. A new kind starts with a row here. */
const KINDS = {
  'mcp.request.METHOD': { check: checkRequest, route: { entity: 'request' }, decidesForOthers: false },
  'mcp.response.METHOD': { check: checkResponse, route: { entity: 'response' }, decidesForOthers: false },
  'mcp.notification.METHOD': { check: checkRequest, route: TO_SENDER_STREAM, decidesForOthers: false },
  'mcp.proposal.METHOD': {
    check: checkProposal,
    route: { entity: 'proposal', command: 'propose', ids: 'own' },
    decidesForOthers: false,
  },
  'mcpx.approve.proposal': {
    check: checkApproval,
    route: { entity: 'proposal', command: 'approve', ids: 'named' },
    decidesForOthers: true,
  },
  'mcpx.delegate.review': {
    check: checkDelegation,
    route: { entity: 'proposal', command: 'delegate', ids: 'named', otherwise: 'delegate_all' },
    decidesForOthers: true,
  },
  'mcpx.pause.approvals': {
    check: checkPause,
    route: { entity: 'space', command: 'pause' },
    decidesForOthers: true,
  },
  'mcpx.resume.approvals': {
    check: checkPause,
    route: { entity: 'space', command: 'resume' },
    decidesForOthers: true,
  },
  'mcpx.counter.proposal': {
    check: checkCounter,
    route: { entity: 'proposal', command: 'counter', ids: 'countered' },
    decidesForOthers: false,
  },
  'mcpx.accept.counter': {
    check: checkAcceptance,
    route: { entity: 'proposal', command: 'accept', ids: 'countered' },
    decidesForOthers: false,
  },
  'mcpx.grant.capability': {
    check: checkGrant,
    route: { entity: 'space', command: 'grant' },
    decidesForOthers: true,
  },
  'mcpx.revoke.capability': {
    check: checkRevocation,
    route: { entity: 'space', command: 'revoke' },
    decidesForOthers: true,
  },
  'mcpx.invite.participant': {
    check: checkInvitation,
    route: { entity: 'space', command: 'invite' },
    decidesForOthers: true,
  },
  'mcpx.kick.participant': {
    check: checkKick,
    route: { entity: 'space', command: 'kick' },
    decidesForOthers: true,
  },
  'mcpx.allow.key': {
    check: checkKeyCode,
    route: { entity: 'space', command: 'allow_key' },
    decidesForOthers: true,
  },
  'mcpx.register.key': {
    check: checkNewKey,
    route: { entity: 'space', command: 'register_key' },
    decidesForOthers: false,
  },
  'mcpx.unregister.key': {
    check: checkKeyRevocation,
    route: { entity: 'space', command: 'revoke_key' },
    decidesForOthers: false,
  },
  'mcpx.renew.proposal': {
    check: checkRenewal,
    route: { entity: 'proposal', command: 'renew', ids: 'named' },
    decidesForOthers: false,
  },
  'mcpx.withdraw.proposal': {
    check: checkWithdrawal,
    route: { entity: 'proposal', command: 'withdraw', ids: 'named' },
    decidesForOthers: false,
  },
  'mcpx.reject.proposal': {
    check: checkRejection,
    route: { entity: 'proposal', command: 'reject', ids: 'named' },
    decidesForOthers: false,
  },
  'mcpx.status.proposal': {
    check: checkStatus,
    route: { entity: 'proposal', command: 'status', ids: 'named' },
    decidesForOthers: false,
  },
  'mcpx.announce.tools': announcing('tools'),
  'mcpx.announce.resources': announcing('resources'),
  'mcpx.announce.prompts': announcing('prompts'),
  'mcpx.announce.rules': { check: checkAnnouncedRules, route: TO_SENDER_STREAM, decidesForOthers: false },
  'participant.pause': {
    check: checkParticipantPause,
    route: { entity: 'space', command: 'pause_participant' },
    decidesForOthers: false,
  },
  'participant.resume': {
    check: checkNothing,
    route: { entity: 'space', command: 'resume_participant' },
    decidesForOthers: false,
  },
  'chat.message': { check: checkChat, route: TO_SENDER_STREAM, decidesForOthers: false },
} as const satisfies Readonly<Record<string, KindEntry>>;

type Route = (typeof KINDS)[keyof typeof KINDS]['route'];

/** The commands about a proposal that have their own kind. */
export type ProposalKindCommand = Extract<Route, { entity: 'proposal' }>['command'];
/** The commands about a space as a whole. */
export type SpaceCommand =
  | Extract<Route, { entity: 'space' }>['command']
  | Extract<Route, { otherwise: string }>['otherwise'];

/** What decides a message, with the existing commands. */
export type RouteOfKind =
  | {
      readonly entity: 'proposal';
      readonly command: ProposalKindCommand;
      readonly ids: Extract<KindRoute, { entity: 'proposal' }>['ids'];
      readonly otherwise?: SpaceCommand;
    }
  | { readonly entity: 'space'; readonly command: SpaceCommand }
  | Exclude<KindRoute, { entity: 'proposal' | 'space' }>;

function announcing<List extends ServedList>(list: List) {
  const route = { entity: 'participant', announces: list } as const;
  return { check: checkAnnouncement(list), route, decidesForOthers: false } as const;
}

type Entry = KindEntry & { readonly route: RouteOfKind };

const BY_NAME: ReadonlyMap<string, Entry> = new Map<string, Entry>(Object.entries(KINDS));

/** What is known about a kind; `undefined` for kinds of other protocols, which are carried unchanged. */
function entryOf(kind: string, { protocol, operation }: Kind): Entry | undefined {
  return BY_NAME.get(protocol === 'mcp' ? (MCP_NAMES.get(operation) ?? '') : kind);
}

const MCP_NAMES: ReadonlyMap<string, string> = new Map(
  kindsOf('mcp.').map((name) => [name.split('.')[1] ?? '', name]),
);

function kindsOf(...starts: readonly string[]): readonly string[] {
  return Object.keys(KINDS).filter((kind) => starts.some((start) => kind.startsWith(start)));
}

/**
 * Proffer's own protocols, and all their kinds. `proposal` was one in older drafts: its kinds remain
 * only in the `legacy` dialect.
 */
export const KINDS_OF_PROTOCOL: ReadonlyMap<string, readonly string[]> = new Map([
  ['mcp', kindsOf('mcp.')],
  ['mcpx', kindsOf('mcpx.')],
  ['proposal', kindsOf('mcp.proposal.', 'mcpx.')],
]);

/** The check for a kind's payload; `undefined` for kinds of other protocols. */
export function payloadCheck(kind: string, parsed: Kind): PayloadCheck | undefined {
  return entryOf(kind, parsed)?.check;
}

/** What decides a message of this kind. One of another protocol is stored in the stream of its sender. */
export function routeOfKind(kind: string): RouteOfKind {
  const parsed = parseKind(kind);
  return (parsed === undefined ? undefined : entryOf(kind, parsed)?.route) ?? TO_SENDER_STREAM;
}

/** The prefixes of kinds that let their sender decide for others: `mcpx.approve.` and so on. */
export const DECIDING_FOR_OTHERS: readonly string[] = [...BY_NAME]
  .filter(([, { decidesForOthers }]) => decidesForOthers)
  .map(([name]) => name.slice(0, name.lastIndexOf('.') + 1));
