import {
  createHttpClient,
  type HttpClient,
  NoAnswerError,
  type Patience,
  RefusedError,
} from '@proffer/client/http';
import { isJsonArray, type JsonObject } from '@proffer/core/json';
import { CommandFailure, EXIT, type Failure } from '../command-failure.js';
import { shellWord } from '../terminal/shell.js';
import { textOf } from '../terminal/visible.js';
import { type Endpoint, nextWithoutToken, noToken, sameOptions } from './endpoint.js';
import { noAnswer, type Unanswered } from './no-answer.js';

/**
 * A gateway over HTTP. Everything throws {@link CommandFailure}: unreachable, refused, or interrupted. If the
 * signal of a single request ends it, that request throws the signal's reason.
 */
export interface GatewayConnection extends HttpClient {
  /** The program's name as the user calls it, for suggested commands. */
  readonly name: string;
  readonly endpoint: Endpoint;
}

/** @param name - the program's name as the user calls it, for suggested commands */
export function createConnection(
  endpoint: Endpoint,
  name: string,
  patience: Patience = {},
): GatewayConnection {
  const client = createHttpClient({ ...patience, ...endpoint });

  /** @param message - its kind, and the proposal it is about */
  async function explained<Value>(
    asked: Promise<Value>,
    message: Pick<Asked, 'sent' | 'kind'> = {},
  ): Promise<Value> {
    try {
      return await asked;
    } catch (error) {
      throw asFailure(error, { endpoint, name, ...message });
    }
  }

  return {
    name,
    endpoint,
    async send(message) {
      const { id, kind, correlationId = id } = message;
      const about = isJsonArray(correlationId) ? correlationId[0] : correlationId;
      return await explained(client.send(message), { sent: textOf(about), kind: textOf(kind) });
    },
    pending: () => explained(client.pending()),
    async *proposals(query) {
      const pages = client.proposals(query)[Symbol.asyncIterator]();
      for (;;) {
        const page = await explained(pages.next());
        if (page.done === true) return;
        yield page.value;
      }
    },
    proposal: (id, signal) => explained(client.proposal(id, signal)),
    whoAmI: () => explained(client.whoAmI()),
    grants: () => explained(client.grants()),
    delegations: () => explained(client.delegations()),
    keys: () => explained(client.keys()),
    checkpoint: () => explained(client.checkpoint()),
    evidence: (...asked) => explained(client.evidence(...asked)),
    feed: (after) => explained(client.feed(after)),
    events: (after, signal) => explained(client.events(after, signal)),
  };
}

/** A request, with the kind of its message if it sends one. */
interface Asked extends Unanswered {
  readonly kind?: string | undefined;
}

function asFailure(error: unknown, asked: Asked): unknown {
  if (error instanceof RefusedError) return refusedBy(asked, error);
  return error instanceof NoAnswerError ? noAnswer(asked, error) : error;
}

function refusedBy(asked: Asked, { code, message, details }: RefusedError): CommandFailure {
  return new CommandFailure({
    exit: EXIT.refused,
    code,
    message: inReadersWords(asked, { code, message, details }),
    details,
    next: nextAfter({ code, details }, asked),
  });
}

function inReadersWords(
  { endpoint, kind }: Asked,
  { code, message, details }: Pick<RefusedError, 'code' | 'message' | 'details'>,
): string {
  if (code === 'unauthenticated' && endpoint.assumed) return noToken(endpoint);
  return kind === undefined ? message : inCommandWords(message, details, kind);
}

/** The command that helps, which a refusal's message cannot know. */
function nextAfter(
  { code, details }: Pick<Failure, 'code'> & { readonly details: JsonObject },
  { endpoint, name }: Unanswered,
): readonly string[] {
  const { assumed, given } = endpoint;
  switch (code) {
    case 'unauthenticated':
      if (given.as !== undefined) {
        return ['--as works only in dev mode. Here, use --token or PROFFER_TOKEN.'];
      }
      return assumed
        ? nextWithoutToken(endpoint, name)
        : [
            `${name} login --url ${shellWord(endpoint.url)}   # store another token`,
            `${name} token NAME   # for the operator: creates one, and shows where to put it`,
          ];
    case 'forbidden_space': {
      const { your_spaces: mine } = details;
      const names = isJsonArray(mine) ? mine.map(textOf) : [];
      return names.length === 0
        ? ['Your token allows no space here: ask the operator for access.']
        : [`--space ${shellWord(names[0] ?? '')}   # your token allows: ${names.join(', ')}`];
    }
    case 'unknown_proposal':
      return [`${name} inbox${sameOptions(endpoint)}   # lists what is pending`];
    case 'unknown_grant':
      return [`${name} grant${sameOptions(endpoint)}   # lists what is granted, with the ids`];
    case 'signature_required':
    case 'key_not_allowed':
      return [
        `${name} keys allow NAME${sameOptions(endpoint)}   # for an operator: makes a code, once`,
        `${name} keys add --code CODE${sameOptions(endpoint)}   # makes a key here, and registers it`,
      ];
    case 'approvals_paused':
      return [`${name} resume${sameOptions(endpoint)}   # if you may end the pause`];
    case 'capability_violation':
      // A name accepted in place of a token shows that the gateway is in dev mode.
      return assumed || given.as !== undefined
        ? ['--as reviewer   # someone allowed to do this']
        : ['--token …   # the token of someone allowed to do this'];
    case 'ambiguous_executor': {
      const { candidates } = details;
      const names = isJsonArray(candidates) ? candidates.map(textOf) : [];
      return names.length === 0
        ? ['Start a participant that serves it.']
        : [`--to NAME   # who runs it: ${names.join(', ')}`];
    }
    case 'executor_absent':
      return [`Restart ${textOf(details['executor'])}, or wait until it reconnects, then try again.`];
    default:
      return [];
  }
}

/** What the fields of messages are called on the command line. */
const WORDS: Readonly<Record<string, string>> = {
  id: '--id',
  to: '--to',
  correlation_id: 'the id',
  'payload.params': 'the arguments',
  'payload.ttl': '--ttl',
  'payload.reason': '--reason',
  'payload.message': '--message',
  'payload.digest': '--digest',
  'payload.depends_on': '--depends-on',
  'payload.on_failure': '--on-failure',
  'payload.method': '--method',
  'payload.capabilities': 'the capability',
  'payload.uses': '--uses',
  'payload.session': '--session',
  'payload.until': '--for',
  'payload.to': 'the name',
};

/** Where one command uses another word for a field. */
const OF_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mcpx.grant.capability': { 'payload.ttl': '--for' },
  'mcpx.delegate.review': { correlation_id: '--proposal' },
};

/** The message of a refusal, with its field in the words of the command line. */
export function inCommandWords(message: string, details: JsonObject, kind: string): string {
  const field = textOf(details['field']);
  const [, name = '', rest = ''] = /^((?:payload\.)?\w+)(.*)$/s.exec(field) ?? [];
  const word = OF_KIND[kind]?.[name] ?? WORDS[name];
  if (word === undefined || !message.startsWith(`${field} `)) return message;
  // The found value shows which item of a list is meant, but not which argument.
  const inside = rest.startsWith('.') ? `${rest.slice(1)} in ` : '';
  return `${inside}${word}${message.slice(field.length)}`.replace(/^the /, 'The ');
}
