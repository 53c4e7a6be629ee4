import { correlationIds } from '@proffer/core/envelope';
import { defined, isJsonArray, isJsonObject, type JsonObject, textOf, textsIn } from '@proffer/core/json';
import { parseKind, subjectOf } from '@proffer/core/kind';
import type { PresenceEvent } from '@proffer/core/operations';
import {
  count,
  describeNotice,
  describeProgress,
  describeStatus,
  quoteReason,
  type Voice,
} from '@proffer/core/words';
import { argumentsOf, type LoggedMessage } from '../../proposals/proposal-view.js';
import type { Style } from '../../terminal/shell.js';
import { visible, visibleArguments, visibleJson, visibleLine, voiceAt } from '../../terminal/visible.js';
import { resultOf } from '../result.js';

/** What a message says, in a few words. All of it is visible text; only the colours are ours. */
export interface MessageLine {
  readonly who: string;
  readonly what: string;
  readonly detail: string;
}

/** The grant under which a call ran without approval (O-41). */
function byGrant({ grant }: JsonObject): string {
  return typeof grant === 'string' ? `  by the grant ${visible(grant)}` : '';
}

/** A message as one line of a log. */
export function describeMessage(message: LoggedMessage, style: Style): MessageLine {
  const voice = voiceAt(message.time ?? 0);
  const who = visible(message.from);
  const kind = parseKind(message.kind);
  const { payload } = message;
  const about = correlationIds(message).map(visible).join(', ');
  switch (kind?.protocol === 'mcp' ? kind.operation : message.kind) {
    case 'proposal':
      return { who, what: style.cyan('proposes'), detail: `${visible(message.id)}  ${operation(payload)}` };
    case 'request':
      return about === ''
        ? { who, what: 'requests', detail: operation(payload) }
        : {
            who,
            what: style.green('approves'),
            detail: `${about}  ${operation(payload)}${byGrant(payload)}`,
          };
    case 'response': {
      const { outcome, text } = resultOf(payload);
      return { who, what: outcome === 'ok' ? style.green('answers') : style.red('fails'), detail: text };
    }
    case 'mcpx.reject.proposal':
      return { who, what: style.red('rejects'), detail: `${about}  ${reasonOf(payload, voice)}` };
    case 'mcpx.withdraw.proposal':
      return {
        who,
        what: style.yellow('withdraws'),
        detail: `${about}  ${reasonOf(payload, voice)}`.trimEnd(),
      };
    case 'mcpx.approve.proposal':
      if (payload['revoke'] === true) return { who, what: 'takes back', detail: `${about}  its approval` };
      return { who, what: style.green('approves'), detail: `${about}  ${counted(payload, voice)}`.trimEnd() };
    case 'mcpx.counter.proposal':
      return {
        who,
        what: style.cyan('offers'),
        detail: `${about}  ${reasonOf(payload, voice)}`,
      };
    case 'mcpx.accept.counter':
      return { who, what: style.green('accepts'), detail: `${text(payload, 'proposal')}  ${about}` };
    case 'mcpx.grant.capability':
      return {
        who,
        what: 'grants',
        detail: `${text(payload, 'to')} ${visibleJson(payload['capabilities'])}`,
      };
    case 'mcpx.revoke.capability':
      return { who, what: 'revokes', detail: `${about}  ${reasonOf(payload, voice)}`.trimEnd() };
    case 'mcpx.delegate.review': {
      const which = about === '' ? 'all reviews' : about;
      return payload['revoke'] === true
        ? { who, what: 'takes back', detail: which }
        : { who, what: 'delegates', detail: `${which} to ${text(payload, 'to')}` };
    }
    case 'mcpx.invite.participant':
      return {
        who,
        what: 'invites',
        detail: `${text(payload, 'participant')} ${visibleJson(payload['capabilities'] ?? [])}`,
      };
    case 'mcpx.kick.participant':
      return {
        who,
        what: style.yellow('removes'),
        detail: `${text(payload, 'participant')}  ${reasonOf(payload, voice)}`.trimEnd(),
      };
    case 'mcpx.allow.key':
      return { who, what: 'lets', detail: `${text(payload, 'participant')} register a key` };
    case 'mcpx.register.key':
      return { who, what: 'registers', detail: `a key  ${text(payload, 'label')}`.trimEnd() };
    case 'mcpx.unregister.key':
      return { who, what: 'revokes', detail: `the key ${text(payload, 'key')}` };
    case 'mcpx.pause.approvals':
      return {
        who,
        what: style.yellow('pauses'),
        detail: `all approvals  ${reasonOf(payload, voice)}`.trimEnd(),
      };
    case 'mcpx.resume.approvals':
      return { who, what: 'resumes', detail: 'approvals' };
    case 'mcpx.renew.proposal':
      return { who, what: 'renews', detail: about };
    case 'mcpx.status.proposal':
      return {
        who,
        what: 'reports',
        detail:
          `${about}  ${describeStatus(textOf(payload['status']), voice)} ${text(payload, 'message')}`.trimEnd(),
      };
    case 'chat.message':
      return { who, what: 'says', detail: text(payload, 'text') };
    case 'system.notice':
      return {
        who: 'gateway',
        what: style.yellow('notes'),
        detail: `${about}  ${describeNotice(payload, voice)}`,
      };
    case 'system.presence':
      return describePresence(payload, style);
    default:
      return (
        announced(message.kind, payload, who) ?? {
          who,
          what: visible(message.kind),
          detail: visibleJson(payload),
        }
      );
  }
}

/** The progress of an approval if a policy counts them (O-29). */
function counted({ given, needed, missing }: JsonObject, voice: Voice): string {
  if (typeof given !== 'number' || typeof needed !== 'number') return '';
  return describeProgress({ given, needed, missing: given < needed ? textsIn(missing) : [] }, voice);
}

/** A reason and its message, in quotes. */
function reasonOf(payload: JsonObject, voice: Voice): string {
  const [reason, message] = [textOf(payload['reason']), textOf(payload['message'])];
  return reason === '' && message === '' ? '' : quoteReason({ reason, message }, voice);
}

function operation(payload: JsonObject): string {
  const method = text(payload, 'method');
  const params = isJsonObject(payload['params']) ? payload['params'] : undefined;
  const name = subjectOf(method, params)?.name;
  const input = visibleArguments(argumentsOf({ method, ...defined({ params }) }));
  return `${name === undefined ? method : visibleLine(name)} ${input}`.trimEnd();
}

function describePresence(payload: JsonObject, style: Style): MessageLine {
  const { participant, event } = payload;
  const who = isJsonObject(participant) ? text(participant, 'id') : '?';
  const what = PRESENCE.get(textOf(event)) ?? text(payload, 'event');
  return { who, what: style.dim(what), detail: '' };
}

const PRESENCE: ReadonlyMap<string, string> = new Map<PresenceEvent, string>([
  ['join', 'joins'],
  ['leave', 'leaves'],
  ['invited', 'is invited'],
]);

function announced(kind: string, payload: JsonObject, who: string): MessageLine | undefined {
  if (kind === 'mcpx.announce.rules') {
    const rules = count(Number(payload['count']), 'rule');
    return {
      who,
      what: 'decides by',
      detail: `${rules} of ${text(payload, 'source')}, version ${text(payload, 'version')}`,
    };
  }
  const [, list = ''] = /^mcpx\.announce\.(tools|prompts|resources)$/.exec(kind) ?? [];
  const definitions = payload[list];
  if (!isJsonArray(definitions)) return undefined;
  const key = list === 'resources' ? 'uri' : 'name';
  const names = definitions.filter(isJsonObject).map((definition) => text(definition, key));
  return { who, what: 'serves', detail: names.length === 0 ? `no ${list}` : names.join(', ') };
}

function text(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? visibleLine(value) : '';
}
