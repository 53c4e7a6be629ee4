import type { JsonObject } from '@proffer/core/json';
import { type HookAgent, ourEvents } from '../agents/index.js';

/**
 * The events in which an agent would report how calls ended, and for which its settings have no hook although it asks
 * Proffer: they were installed by an earlier version. Its calls stay "allowed" until their time is up (O-46).
 */
export function missingReports({ events, reports }: HookAgent, settings: JsonObject): readonly string[] {
  const installed = ourEvents(settings);
  if (!events.some((event) => installed.includes(event))) return [];
  return reports.filter((event) => !installed.includes(event));
}
