import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { failure, type Refusal, type Result, refuse } from '@proffer/core';
import { parseRules } from '../rules/parse-rules.js';
import type { RuleSet } from '../rules/rule-set.js';

/**
 * Reads a rule file. Refuses with `invalid_rules` what {@link parseRules} refuses, and with
 * `unreadable_rules` a file that is missing or cannot be read.
 */
export async function readRuleFile(file: string): Promise<Result<RuleSet>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = error instanceof Error ? error.message : String(error);
    const sentence = isMissing ? `${file} does not exist.` : `${file} cannot be read: ${why}.`;
    return failure(refuse('unreadable_rules', sentence, { file }));
  }
  return parseRules(text, file);
}

export interface RuleFileWatchOptions {
  /** The file has new, valid rules. */
  readonly onRules: (rules: RuleSet) => void;
  /** The file is invalid now, reported once; the previous rules stay in use. */
  readonly onProblem: (refusal: Refusal) => void;
  /** The file was invalid and now has the rules in use again. */
  readonly onRight?: () => void;
  /** The version in use; an unchanged file is not reported. */
  readonly version: string;
  /** Milliseconds between checks. Default 500. */
  readonly interval?: number;
}

/** A watched file. */
export interface WatchedFile {
  /** Reads it now, changed or not. */
  reload(): Promise<void>;
  close(): void;
}

const LONGEST_PAUSE = 100;

/** Watches a file of rules. It polls: that also works when an editor replaces the file, and on network file systems. */
export function watchRuleFile(file: string, options: RuleFileWatchOptions): WatchedFile {
  const { onRules, onProblem, interval = 500 } = options;
  let { version } = options;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;

  let problem: string | undefined;

  async function read(): Promise<void> {
    const parsed = await readSettled();
    if (closed) return;
    const before = problem;
    problem = parsed.ok ? undefined : parsed.refusal.message;
    if (!parsed.ok) {
      if (problem !== before) onProblem(parsed.refusal);
    } else if (parsed.value.version !== version) {
      version = parsed.value.version;
      onRules(parsed.value);
    } else if (before !== undefined) options.onRight?.();
  }

  /** A half-written file can be valid and mean something else: it must stay the same to count. */
  async function readSettled(): Promise<Result<RuleSet>> {
    let parsed = await readRuleFile(file);
    for (;;) {
      await pause(Math.min(interval, LONGEST_PAUSE));
      const again = await readRuleFile(file);
      if (closed || identityOf(again) === identityOf(parsed)) return again;
      parsed = again;
    }
  }

  // One after another, so that older content never replaces newer content.
  const reload = (): Promise<void> => {
    reading = reading.then(read);
    return reading;
  };
  const listener = (): void => void reload();
  watchFile(file, { interval }, listener);
  return {
    reload,
    close() {
      closed = true;
      unwatchFile(file, listener);
    },
  };
}

function identityOf(parsed: Result<RuleSet>): string {
  return parsed.ok ? parsed.value.version : parsed.refusal.message;
}
