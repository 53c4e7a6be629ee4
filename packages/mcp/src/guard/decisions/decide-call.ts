import type { JsonObject } from '@proffer/core';
import type { CallFacts, RuleDecision } from '@proffer/steward';
import type { GuardSettings } from '../guard-settings.js';
import type { Toolbook } from '../tools/index.js';

/** What a guard goes by when it asks the rules. */
export interface Deciding {
  readonly settings: Pick<GuardSettings, 'decide' | 'server' | 'clock'>;
  readonly toolbook: Toolbook;
  readonly principal: string;
}

/** What the rules say to a call now. */
export function decideCall(by: Deciding, tool: string, args: JsonObject): RuleDecision {
  const { decide, server, clock } = by.settings;
  const annotations = annotationsOf(by.toolbook.trusted(tool));
  return decide({
    participant: by.principal,
    server,
    tool,
    arguments: args,
    ...(annotations === undefined ? {} : { annotations }),
    time: clock.now(),
  });
}

/** The annotations of a tool, as its server gave them. */
export function annotationsOf(
  definition: JsonObject | undefined,
): NonNullable<CallFacts['annotations']> | undefined {
  const annotations = definition?.['annotations'];
  return typeof annotations === 'object' && annotations !== null ? (annotations as object) : undefined;
}
