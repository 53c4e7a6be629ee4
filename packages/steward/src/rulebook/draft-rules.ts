import { defined, type JsonValue } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { formatYaml } from '@proffer/reading';
import { parentFolder } from '../history/common-folder.js';
import { isContent } from '../history/content.js';
import type { WrittenRule } from '../history/generalise.js';
import type { CallFacts } from '../rules/call-facts.js';
import { parseRules } from '../rules/parse-rules.js';
import { ruleInWords } from './rules-in-words.js';

/** A suggested rule: in plain language, and as written in a file. */
export interface RuleDraft {
  readonly rule: WrittenRule;
  readonly words: string;
  /** A file with only this rule. */
  readonly text: string;
}

/**
 * Rules drafted from one call, the narrowest first: exactly this call, and, if an argument is a path,
 * any content in the same folder. None if a name contains a star, which a rule would treat as a
 * pattern, or if an argument looks like a secret, which no rule file should have. Pure.
 */
export function draftRules(call: CallFacts, action: WrittenRule['action']): readonly RuleDraft[] {
  const { server, tool, participant, alias = participant } = call;
  if (/\*/.test(`${alias}${server ?? ''}${tool}`) || hideSecrets(call.arguments).hasSecrets) return [];
  const given = Object.entries(call.arguments).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const subject = { participant: alias, ...defined({ server }), tool };
  const exact = { name: `${alias}: ${tool}`, action, match: { ...subject, ...equalTo(given), ...NO_OTHERS } };
  const folders = given.flatMap(([name, value]) => {
    const folder = typeof value === 'string' ? parentFolder(value) : undefined;
    return folder === undefined ? [] : [[name, folder] as const];
  });
  if (folders.length === 0) return [draftOf(exact)];
  const inFolder = new Set(folders.map(([name]) => name));
  const free = given.flatMap(([name, value]) =>
    !inFolder.has(name) && isContent(name, [value]) ? [[name, '**'] as const] : [],
  );
  const open = new Set([...inFolder, ...free.map(([name]) => name)]);
  const wider = {
    name: `${alias}: ${tool} in ${folders.map(([, folder]) => folder).join(', ')}`,
    action,
    match: {
      ...subject,
      ...equalTo(given.filter(([name]) => !open.has(name))),
      arguments: Object.fromEntries([...folders, ...free]),
      ...NO_OTHERS,
    },
  };
  return [draftOf(exact), draftOf(wider)];
}

/** A rule in plain language and as a file. */
export function draftOf(rule: WrittenRule): RuleDraft {
  const text = formatYaml({ rules: [rule] });
  const parsed = parseRules(text, 'draft');
  const [read] = parsed.ok ? parsed.value.rules : [];
  return { rule, words: read === undefined ? rule.name : ruleInWords(read).words, text };
}

const NO_OTHERS = { noOtherArguments: true };

function equalTo(given: readonly (readonly [string, JsonValue])[]) {
  return given.length === 0 ? {} : { argumentsEqual: Object.fromEntries(given) };
}
