import type { Problem } from '@proffer/reading';
import { expect } from 'vitest';
import type { GatewayConfig } from '../config.js';
import { type ParseConfigOptions, parseConfig } from '../parse-config.js';
import { section } from '../read/field.js';
import { formatProblems } from '../read/problem.js';

type Options = Partial<ParseConfigOptions>;

/** The gateway has no channels of its own: those that a program adds have settings that only it knows. */
const ANY = section<object>({}, 'open');
const channelTypes = { slack: { fields: ANY }, email: { fields: ANY } };

/** The configuration of a text that must be right. */
export function configured(text: string, options: Options = {}): GatewayConfig {
  const { config, problems } = parseConfig(text, { file: 'proffer.yaml', channelTypes, ...options });
  if (config === undefined) expect.fail(formatProblems(problems));
  return config;
}

/** The problems of a text that must be wrong. */
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
