import type { ParsedConfig } from '@proffer/gateway';
import { embeddedConfig, type MachineFolder } from './machine-folder.js';

/** The configuration of the guards' shared gateway, with the notifications of `notify.yaml`, or its problems. */
export async function readGuardsConfig(folder: MachineFolder): Promise<ParsedConfig> {
  // Loaded only by what needs it: it takes a good part of a guard's startup time.
  const { GUARD_CAPABILITIES, parseConfig, STEWARD_CAPABILITIES } = await import('@proffer/gateway/config');
  const { CHANNEL_TYPES } = await import('@proffer/notify');
  const written = embeddedConfig(folder, { guard: GUARD_CAPABILITIES, steward: STEWARD_CAPABILITIES });
  return parseConfig(written, { file: folder.path, channelTypes: CHANNEL_TYPES });
}
