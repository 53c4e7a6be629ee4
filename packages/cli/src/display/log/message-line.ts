import { describeProgress } from '@proffer/core/approvals';
import { correlationIds } from '@proffer/core/envelope';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, textsIn } from '@proffer/core/json';
import { parseKind, subjectOf } from '@proffer/core/kind';
import type { LoggedMessage } from '../../proposals/proposal-view.js';
import { argumentsOf } from '../../proposals/proposal-view.js';
import type { Style } from '../../terminal/style.js';
import { visible, visibleArguments, visibleJson, visibleLine } from '../../terminal/visible.js';
import { count } from '../count.js';
import { resultOf } from '../result.js';

/** What a message says, in a few words. All of it is visible text; only the colours are ours. */
export interface Line {
  readonly who: string;
  readonly what: string;
  readonly detail: string;
}

/** The grant under which a call ran without approval (O-41). */
function byGrant({ grant }: JsonObject): string {
  return typeof grant === 'string' ? `  by the grant ${visible(grant)}` : '';
}

/** A message as one line of a log. */
export function describeMessage(message: LoggedMessage, style: Style): Line {
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
      return { who, what: style.red('rejects'), detail: `${about}  ${reasonOf(payload)}` };
    case 'mcpx.withdraw.proposal':
      return { who, what: style.yellow('withdraws'), detail: `${about}  ${reasonOf(payload)}`.trimEnd() };
    case 'mcpx.approve.proposal':
      return { who, what: style.green('approves'), detail: `${about}  ${counted(payload)}`.trimEnd() };
    case 'mcpx.counter.proposal':
      return {
        who,
        what: style.cyan('offers'),
        detail: `${about}  ${reasonOf(payload)}`,
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
      return { who, what: 'revokes', detail: `${about}  ${reasonOf(payload)}`.trimEnd() };
    case 'mcpx.delegate.review': {
      const which = about === '' ? 'all reviews' : about;
      return payload['revoke'] === true
        ? { who, what: 'takes back', detail: which }
        : { who, what: 'delegates', detail: `${which} to ${text(payload, 'to')}` };
    }
    case 'mcpx.pause.approvals':
      return { who, what: style.yellow('pauses'), detail: `all approvals  ${reasonOf(payload)}`.trimEnd() };
    case 'mcpx.resume.approvals':
      return { who, what: 'resumes', detail: 'approvals' };
    case 'mcpx.renew.proposal':
      return { who, what: 'renews', detail: about };
    case 'mcpx.status.proposal':
      return {
        who,
        what: 'reports',
        detail: `${about}  ${text(payload, 'status')} ${text(payload, 'message')}`.trimEnd(),
      };
    case 'chat.message':
      return { who, what: 'says', detail: text(payload, 'text') };
    case 'system.notice':
      return { who: 'gateway', what: style.yellow('notes'), detail: `${about}  ${describeNotice(payload)}` };
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

/** The gateway's own notice, as a sentence without a full stop. */
export function describeNotice(payload: JsonObject): string {
  switch (payload['notice']) {
    case 'expired':
      return 'expired: nobody decided in time';
    case 'declined':
      return payload['final'] === true
        ? describeDeclined(payload)
        : 'everybody it was addressed to rejected it; others may still decide';
    case 'addressees_absent':
      return describeOffline(payload['absent']);
    case 'nobody_capable':
      return 'nobody who is connected may approve it; it stays open';
    case 'expiring':
      return 'expires soon';
    case 'escalated':
      return `nobody decided in time; asked now: ${namesIn(payload['to'])}`;
    case 'dependencies_met':
      return describeMet(payload);
    case 'dependency_failed':
      return `${text(payload, 'dependency')}, which it depended on, ended as ${text(payload, 'outcome')}; it is decided without that`;
    case 'acted_alone':
      return `${text(payload, 'by')} approves it alone, as the policy allows`;
    case 'grant_used':
      return typeof payload['left'] === 'number' ? `grant used, ${payload['left']} left` : 'grant used';
    case 'grant_ended':
      return 'the grant has ended';
    case 'opened':
      return 'no longer reserved: anybody may decide';
    case 'outcome_unknown':
      return describeUnknown(payload['cause']);
    default:
      return visibleJson(payload);
  }
}

function describeMet(payload: JsonObject): string {
  const left = namesIn(payload['waitsFor']);
  const done = `${namesIn(payload['dependencies'])} succeeded`;
  return left === '' ? `${done}; it waits for nothing more` : `${done}; it still waits for ${left}`;
}

/**
 * What ended it: a rejection that the policy makes final, nobody left to ask, or nobody left among those it
 * was reserved for.
 */
function describeDeclined(payload: JsonObject): string {
  const rejected = `${text(payload, 'by')} rejected it (${text(payload, 'reason')})`;
  switch (payload['why']) {
    case 'veto':
      return `declined: ${rejected}, which is final under the policy`;
    case 'impossible':
      return `declined: ${rejected}, and too few are left to approve it`;
    case 'unanswered':
      return 'declined: nobody decided in time, and nobody is left to ask';
    case 'dependency':
      return `declined: ${text(payload, 'dependency')}, which it depends on, ended as ${text(payload, 'outcome')}`;
    case 'not_allowed_now':
      return `declined when it was about to run: ${text(payload, 'message')}`;
    default:
      return 'declined: it was reserved, and nobody it was reserved for took it';
  }
}

function namesIn(list: JsonValue | undefined): string {
  const names = textsIn(list);
  return names.map(visible).join(', ');
}

function describeOffline(absent: JsonValue | undefined): string {
  const names = isJsonArray(absent) ? absent.filter((name) => typeof name === 'string').map(visible) : [];
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} offline; the proposal stays open`;
}

function describeUnknown(cause: JsonValue | undefined): string {
  if (cause === 'executor_left') return 'outcome unknown: the executor disconnected without answering';
  if (cause === 'executor_lost_it') return 'outcome unknown: the executor does not know how it ended';
  if (cause === 'not_reported') return 'its agent did not report how it ended';
  return 'outcome unknown: no answer in time';
}

/** The progress of an approval if a policy counts them (O-29). */
function counted({ given, needed, missing }: JsonObject): string {
  if (typeof given !== 'number' || typeof needed !== 'number') return '';
  const names = isJsonArray(missing) && given < needed ? missing : [];
  return visible(
    describeProgress({ given, needed, missing: names.filter((name) => typeof name === 'string') }),
  );
}

/** A reason and its message. */
export function reasonOf(payload: JsonObject): string {
  const message = text(payload, 'message');
  return message === '' ? text(payload, 'reason') : `${text(payload, 'reason')}: ${message}`;
}

function operation(payload: JsonObject): string {
  const method = text(payload, 'method');
  const params = isJsonObject(payload['params']) ? payload['params'] : undefined;
  const name = subjectOf(method, params)?.name;
  const input = visibleArguments(argumentsOf({ method, ...(params === undefined ? {} : { params }) }));
  return `${name === undefined ? method : visible(name)} ${input}`.trimEnd();
}

function describePresence(payload: JsonObject, style: Style): Line {
  const { participant, event } = payload;
  const who = isJsonObject(participant) ? text(participant, 'id') : '?';
  return { who, what: style.dim(event === 'join' ? 'joins' : 'leaves'), detail: '' };
}

function announced(kind: string, payload: JsonObject, who: string): Line | undefined {
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
