import type { JsonObject } from '@proffer/core';
import type { RuleDecision } from '@proffer/steward';
import { annotationsOf, type GuardSettings } from './guard-settings.js';
import type { Toolbook } from './toolbook.js';

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
