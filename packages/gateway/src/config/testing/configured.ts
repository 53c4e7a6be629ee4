import type { Problem } from '@proffer/reading';
import { expect } from 'vitest';
import type { GatewayConfig } from '../config.js';
import { type ParseConfigOptions, parseConfig } from '../parse-config.js';
import { section } from '../read/field.js';
import { formatProblems } from '../read/problem.js';

type Options = Partial<ParseConfigOptions>;

/** The gateway has no channels of its own: those added by a program have settings that only it knows. */
const ANY = section<object>({}, 'open');
const channelTypes = { slack: { fields: ANY }, email: { fields: ANY } };

/** Parses a valid configuration. */
export function configured(text: string, options: Options = {}): GatewayConfig {
  const { config, problems } = parseConfig(text, { file: 'proffer.yaml', channelTypes, ...options });
  if (config === undefined) expect.fail(formatProblems(problems));
  return config;
}

/** The problems of an invalid configuration. */
export function problemsOf(text: string, options: Options = {}): readonly Problem[] {
  const { problems } = parseConfig(text, { file: 'proffer.yaml', channelTypes, ...options });
  if (problems === undefined) expect.fail('There is no problem.');
  return problems;
}

/** The only problem of a text. */
export function problemOf(text: string, options: Options = {}): Problem {
  const problems = problemsOf(text, options);
  expect(problems.map(({ message }) => message)).toHaveLength(1);
  return problems[0] as Problem;
}
