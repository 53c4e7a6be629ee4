import type { JsonObject } from '@proffer/core/json';
import { ANSWER, WAITING } from '../actions/index.js';
import { answer, EVIDENCE_FILE, FORM, HIDE, json, KEPT, type Operations, query } from './parts.js';

const text = { type: 'string' };

/** The answer to a message. */
const SENT: JsonObject = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: text,
    status: { enum: ['accepted', 'duplicate', 'late'] },
    seq: { type: 'integer' },
    outcomes: {
      type: 'array',
      description: 'For a message about several proposals: one for each.',
      items: {
        type: 'object',
        required: ['id', 'proposal', 'status'],
        properties: {
          id: text,
          proposal: text,
          status: { enum: ['accepted', 'duplicate', 'late', 'refused'] },
          seq: { type: 'integer' },
          error: {
            type: 'object',
            properties: { code: text, message: text, details: { type: 'object' } },
          },
        },
      },
    },
  },
};

/** The routes of the gateway itself, other than its actions. The server has a handler for each. */
export const OWN_OPERATIONS = {
  'POST /spaces/{space}/messages': {
    summary: 'Send one message. The answer comes once the envelope is stored durably.',
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: { 200: answer('Accepted, a duplicate, or too late to matter.', SENT) },
  },
  'GET /spaces/{space}/proposals': {
    summary: 'Every proposal in the journal in its current state, oldest first, in pages.',
    parameters: [
      query('state', 'Only those in this state.', {
        enum: ['pending', 'approved', 'fulfilled', 'allowed', 'settled', 'withdrawn', 'expired', 'declined'],
      }),
      query('proposer', 'Only those of this participant.', { type: 'string' }),
      query('decidedBy', 'Only those that this participant decided.', { type: 'string' }),
      query(
        'since',
        'Only those that changed at this time (in milliseconds since 1970) or later, and those that have not ended: pending, running, or with an unknown outcome.',
        { type: 'integer', minimum: 0 },
      ),
      query('limit', 'The maximum number.', { type: 'integer', minimum: 1, maximum: 500, default: 500 }),
      query('after', 'The `next` of the previous page.', { type: 'string' }),
    ],
    responses: {
      200: answer('A page. It may be short or even empty: as long as there is a `next`, there is more.', {
        type: 'object',
        required: ['proposals'],
        properties: {
          proposals: { type: 'array', items: { $ref: '#/components/schemas/Proposal' } },
          next: {
            type: 'string',
            description: 'What to pass as `after` to get the next page; absent on the last page.',
          },
          more: { type: 'integer', description: 'With state=pending: how many follow this page.' },
        },
      }),
    },
  },
  'GET /spaces/{space}/proposals/{id}': {
    summary: 'One proposal and everything that was said about it.',
    parameters: [...WAITING],
    responses: {
      200: answer('Its state and its history. As `text/event-stream`: its messages, then `outcome`.', {
        type: 'object',
        properties: { ...ANSWER, history: { type: 'array', items: { type: 'object' } } },
      }),
    },
  },
  'GET /spaces/{space}/proposals/{id}/evidence': {
    summary: 'A file that shows others how a proposal was decided, with proofs from the signed log.',
    parameters: [KEPT, FORM, HIDE],
    responses: { 200: EVIDENCE_FILE },
  },
  'GET /spaces/{space}/evidence': {
    summary: 'The same for everything in the space since a time.',
    parameters: [query('since', 'Milliseconds since 1970.', { type: 'integer' }), KEPT, FORM],
    responses: { 200: EVIDENCE_FILE },
  },
  'GET /spaces/{space}/grants': {
    summary: 'The grants in force in the space, oldest first.',
    responses: {
      200: answer('Where messages are private, only what you granted or were granted.', {
        type: 'object',
        required: ['grants'],
        properties: { grants: { type: 'array', items: { $ref: '#/components/schemas/Grant' } } },
      }),
    },
  },
  'GET /spaces/{space}/keys': {
    summary: 'The keys that decisions are signed with, by participant.',
    responses: {
      200: answer('Those in force.', {
        type: 'object',
        required: ['keys', 'mayAllow'],
        properties: {
          mayAllow: {
            type: 'boolean',
            description: 'Whether you may let others register a key, and revoke theirs.',
          },
          keys: {
            type: 'array',
            items: {
              type: 'object',
              required: ['participant', 'id', 'type', 'at', 'vouched'],
              properties: {
                participant: { type: 'string' },
                id: { type: 'string' },
                type: { enum: ['passkey', 'ed25519'] },
                at: { type: 'integer', description: 'When it was registered: milliseconds since 1970.' },
                vouched: {
                  type: 'object',
                  description: 'On whose word: `code`, of this operator; or `key`, an earlier key.',
                },
                domain: { type: 'string', description: 'Where a passkey is valid.' },
                label: { type: 'string' },
              },
            },
          },
        },
      }),
    },
  },
  'GET /spaces/{space}/delegations': {
    summary: 'Who delegated all their reviews to whom, ordered by end time.',
    responses: {
      200: answer('Where messages are private, only what concerns you.', {
        type: 'object',
        required: ['delegations', 'named'],
        properties: {
          named: {
            type: 'boolean',
            description: 'Whether the review policy names you: otherwise you have no reviews to delegate.',
          },
          delegations: {
            type: 'array',
            items: {
              type: 'object',
              required: ['by', 'to', 'until'],
              properties: {
                by: { type: 'string' },
                to: { type: 'string', description: 'Who decides in its place.' },
                until: { type: 'integer' },
              },
            },
          },
        },
      }),
    },
  },
  'GET /spaces/{space}/feed': {
    summary: 'Messages after a seq; as server-sent events it continues live.',
    parameters: [
      query('after', 'The seq of a message, or `now` for new messages only. Default 0.', {
        type: 'string',
      }),
      query('records', 'Whether each message comes with the journal record it left.', {
        type: 'boolean',
        default: false,
      }),
    ],
    responses: {
      200: answer('Messages, each with the `time` it was accepted, and the seq to ask for next.'),
    },
  },
  'GET /sign-in': {
    summary: 'How clients can sign in.',
    isOpen: true,
    responses: { 200: answer('Sign-in methods, preferred first.') },
  },
  'GET /whoami': {
    summary: 'The participant the token belongs to, its spaces, and its capabilities there.',
    responses: {
      200: answer('The participant, the credential without its secret, the spaces and capabilities.'),
    },
  },
  'GET /healthz': { summary: 'The process is running.', isOpen: true, responses: { 200: answer('ok') } },
  'GET /readyz': {
    summary:
      'Whether everything is replayed and the journal can be written; if not, `reason` may say why. `durability`: what a local journal keeps of what it acknowledged, after a power cut (`power`) or only after the end of the process (`process`). `warnings`: what an operator should look at.',
    isOpen: true,
    responses: { 200: answer('ready'), 503: answer('not ready') },
  },
  'GET /metrics': {
    summary: 'Prometheus metrics.',
    isOpen: true,
    responses: { 200: { description: 'text' } },
  },
  'GET /figures': {
    summary: 'Statistics since the gateway was started, for operators.',
    description:
      'Connections, messages, refusals by code, limits that were reached, the journal, and its signed log. For those who may pause the approvals of a space; only operators of all spaces see which gateways on the journal differ, and in what. Times in milliseconds.',
    responses: { 200: answer('The figures.') },
  },
  'GET /openapi.json': {
    summary: 'This description.',
    isOpen: true,
    responses: { 200: answer('An OpenAPI document.') },
  },
  'POST /hooks/{name}': {
    summary:
      'Called by services in which people answer, such as Slack. Each checks its caller in its own way.',
    isOpen: true,
    responses: { 200: answer('What the service expects.') },
  },
  'GET /health': {
    summary: 'The same as /healthz, for mew clients.',
    isOpen: true,
    responses: { 200: answer('ok') },
  },
  'POST /participants/{id}/messages': {
    summary: 'Send one message in the dialect of mew. The answer comes once the envelope is stored durably.',
    parameters: [
      query('space', 'The space, if the token is valid for several. Default main.', { type: 'string' }),
    ],
    requestBody: { required: true, content: json({ type: 'object' }) },
    responses: { 200: answer('Accepted, a duplicate, or too late to matter.', SENT) },
  },
} satisfies Operations;

const NOTE = {
  description: 'A signed note, as C2SP defines it: the name of the log, its size, its root, and signatures.',
  content: { 'text/plain; charset=utf-8': { schema: { type: 'string' } } },
};

const hashes = {
  type: 'array',
  items: { type: 'string' },
  description: 'The hashes of the proof, in base64.',
};

const proof = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: ['size', 'hashes', 'checkpoint'],
  properties: {
    ...properties,
    size: { type: 'integer', description: 'How many records the tree has.' },
    hashes,
    checkpoint: { type: 'string', description: 'The last checkpoint.' },
  },
});

const whole = { type: 'integer', minimum: 0 };

/** Verifier keys of signed notes. */
const VERIFIER_KEYS = { type: 'array', items: { type: 'string' } };

/** The routes of the signed log. */
export const EVIDENCE_OPERATIONS = {
  'GET /checkpoint': {
    summary: 'The last signed state of the log.',
    responses: { 200: NOTE },
  },
  'POST /checkpoint': {
    summary: 'Sign the log as it is now.',
    responses: {
      200: answer('The checkpoint as a signed note, and the keys that it is signed with.', {
        type: 'object',
        required: ['checkpoint', 'keys'],
        properties: { checkpoint: { type: 'string' }, keys: VERIFIER_KEYS },
      }),
    },
  },
  'GET /checkpoint/keys': {
    summary: 'The keys that checkpoints are signed with, as verifier keys of signed notes.',
    responses: {
      200: answer('The current one first; while a key is replaced, the old one too.', {
        type: 'object',
        required: ['keys', 'witnesses'],
        properties: {
          keys: VERIFIER_KEYS,
          witnesses: { ...VERIFIER_KEYS, description: 'The names of the witnesses that are asked to sign.' },
          witnessed: {
            type: 'object',
            description: 'The last state that a witness signed: how many records, and when, in milliseconds.',
            properties: { size: whole, at: whole },
          },
        },
      }),
    },
  },
  'GET /tile/{*path}': {
    summary: 'A tile of the tree, or a bundle of its entries, as tlog-tiles defines them.',
    responses: {
      200: {
        description: 'Hashes, or entries with their lengths. It never changes.',
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    },
  },
  'GET /proof/inclusion': {
    summary: 'Prove that a record is in the log.',
    parameters: [query('seq', 'The `seq` of the record.', whole)],
    responses: { 200: answer('A proof.', proof({ seq: whole, index: whole })) },
  },
  'GET /proof/consistency': {
    summary: 'Prove that the log begins with an earlier state of it.',
    parameters: [
      query('from', 'The size of the earlier state.', whole),
      query('to', 'The size of the later one. Default: of the last checkpoint.', whole),
    ],
    responses: { 200: answer('A proof.', proof({ from: whole })) },
  },
} satisfies Operations;
