import { answer, json, type Operations, query } from './parts.js';
import { DRAFTED, OWNED, SUGGESTED, TRIED, WATCHED } from './rules-schemas.js';

const text = { type: 'string' } as const;

/** The routes of the companion for rules. */
export const RULES_OPERATIONS: Operations = {
  'GET /spaces/{space}/rules': {
    summary: 'Who decides by which rules, in words, and their recent decisions.',
    description:
      'Guards, hooks and stewards announce their rules. Looks at the last 5,000 messages. Available if the gateway was started with the rules companion, as `proffer up` does.',
    responses: {
      200: answer('The participants that announced rules, the connected ones first.', OWNED),
    },
  },
  'GET /spaces/{space}/rules/suggestions': {
    summary: 'The narrowest rules that reproduce what people decided repeatedly, with the evidence.',
    description: 'For those who may reject proposals.',
    parameters: [
      query('min', 'How many identical decisions a rule needs. Default 3.', { type: 'integer', minimum: 2 }),
    ],
    responses: {
      200: answer(
        'Suggestions, and rules that are not suggested because someone decided differently.',
        SUGGESTED,
      ),
    },
  },
  'GET /spaces/{space}/rules/watched': {
    summary: 'What guards, hooks and adapters only watched, and the rules that would have answered.',
    description: 'For those who may reject proposals. Looks at the last 5,000 messages.',
    responses: {
      200: answer('How many calls would have been asked about.', WATCHED),
    },
  },
  'GET /spaces/{space}/rules/draft': {
    summary: 'Rules made from one call, the narrowest first.',
    description: 'For those who may reject proposals.',
    parameters: [
      { ...query('proposal', 'The id of the proposal.', text), required: true },
      query('action', 'What the rule does. Default allow.', { enum: ['allow', 'ask', 'deny'] }),
    ],
    responses: {
      200: answer('Each draft in words, and as the text of a file.', DRAFTED),
    },
  },
  'POST /spaces/{space}/rules/try': {
    summary: 'What a draft of rules would have decided. Changes nothing.',
    description: 'For those who may reject proposals. At most 50 rules and 16,384 characters.',
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
    },
  },
};
