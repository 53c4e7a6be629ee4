import type { JsonObject } from '@proffer/core/json';
import { answer, json, query, refused, space } from './parts.js';
import { DRAFTED, OWNED, SUGGESTED, TRIED, WATCHED } from './rules-schemas.js';

const text = { type: 'string' } as const;

/** Rules and figures: the routes of a space other than its messages. */
export const RULES_PATHS: JsonObject = {
  '/spaces/{space}/rules': {
    get: {
      summary: 'Who decides by which rules, in words, and their recent decisions.',
      description:
        'Guards, hooks and stewards announce their rules. Looks at the last 5,000 messages. Answered where the gateway was started with the rules companion, as `proffer up` does.',
      parameters: [space],
      responses: {
        200: answer('The participants that announced rules, the connected ones first.', OWNED),
        default: refused,
      },
    },
  },
  '/spaces/{space}/rules/suggestions': {
    get: {
      summary: 'The narrowest rules that reproduce what people decided again and again, with the evidence.',
      description: 'For those who may reject proposals.',
      parameters: [
        space,
        query('min', 'How many equal decisions a rule needs. Default 3.', { type: 'integer', minimum: 2 }),
      ],
      responses: {
        200: answer(
          'Suggestions, and rules that are not suggested because someone decided differently.',
          SUGGESTED,
        ),
        default: refused,
      },
    },
  },
  '/spaces/{space}/rules/watched': {
    get: {
      summary: 'What guards, hooks and adapters only watched, and the rules that would have answered.',
      description: 'For those who may reject proposals. Looks at the last 5,000 messages.',
      parameters: [space],
      responses: {
        200: answer('How many calls would have been asked about.', WATCHED),
        default: refused,
      },
    },
  },
  '/spaces/{space}/rules/draft': {
    get: {
      summary: 'Rules made from one call, the narrowest first.',
      description: 'For those who may reject proposals.',
      parameters: [
        space,
        { ...query('proposal', 'The id of the proposal.', text), required: true },
        query('action', 'What the rule does. Default allow.', { enum: ['allow', 'ask', 'deny'] }),
      ],
      responses: {
        200: answer('Each draft in words, and as the text of a file.', DRAFTED),
        default: refused,
      },
    },
  },
  '/spaces/{space}/rules/try': {
    post: {
      summary: 'What a draft of rules would have decided. Changes nothing.',
      description: 'For those who may reject proposals. At most 50 rules and 16,384 characters.',
      parameters: [space],
      requestBody: {
        required: true,
        content: json({
          type: 'object',
          required: ['rules'],
          properties: {
            rules: { ...text, description: 'The text of a rule file.' },
            behind: {
              ...text,
              description: 'A participant. The draft then decides only what none of its rules matches.',
            },
          },
        }),
      },
      responses: {
        200: answer('What it would have decided, or what is wrong with it.', TRIED),
        default: refused,
      },
    },
  },
  '/figures': {
    get: {
      summary: 'Statistics since the gateway was started, for operators.',
      description:
        'Connections, messages, refusals by code, limits that were reached, and the journal. For those who may pause the approvals of a space; only operators of all spaces see which gateways on the journal differ, and in what. Times in milliseconds.',
      responses: { 200: answer('The figures.'), default: refused },
    },
  },
};
