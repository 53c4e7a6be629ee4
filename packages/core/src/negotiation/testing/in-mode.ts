import type { Step } from './steps.js';

/** The same step in a session of another mode. */
export function inMode(mode: string, step: Step): Step {
  return {
    ...step,
    command(id) {
      const command = step.command(id);
      return command.type === 'send' ? { ...command, envelope: { ...command.envelope, mode } } : command;
    },
  };
}
