import { type ModeDescriptor, messageFields, servedModes } from '@proffer/core/negotiation';
import { EXIT, type ExitCode, usageFailure } from '../../command-failure.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { fieldPlaceholders } from '../message-fields.js';
import { modeNamed, shortMode, shortModes } from '../mode-names.js';

/** Prints the modes with their messages; of one mode also every field, and what it takes. */
export function showModes(
  named: string | undefined,
  { json }: { readonly json?: boolean },
  shell: Shell,
): ExitCode {
  const modes = servedModes().filter(({ mode }) => named === undefined || mode === modeNamed(named));
  if (named !== undefined && modes.length === 0) {
    throw usageFailure(`There is no mode ${JSON.stringify(named)}.`, [
      `The modes are ${shortModes().join(', ')}.`,
    ]);
  }
  if (json === true) printJson({ modes: modes.map(encodeMode) }, shell);
  else
    for (const mode of modes)
      shell.print(...(named === undefined ? brief(mode, shell) : inFull(mode, shell)));
  if (named === undefined && json !== true) {
    shell.print(shell.style.dim(`${shell.name} negotiate modes NAME   # every field of its messages`));
  }
  return EXIT.done;
}

/** What a client sends with `send`; a session is started and committed with commands of their own. */
function messagesOf({ message_types }: ModeDescriptor): readonly string[] {
  return message_types.filter((type) => type !== 'SessionStart' && type !== 'Commitment');
}

function brief(descriptor: ModeDescriptor, { style }: Shell): readonly string[] {
  const { mode, description } = descriptor;
  const types = messagesOf(descriptor);
  const width = Math.max(...types.map((type) => type.length));
  return [
    `${style.bold(shortMode(mode))}  ${description}`,
    ...types.map((type) => `  ${type.padEnd(width)}  ${style.dim(fieldPlaceholders(mode, type))}`),
    '',
  ];
}

function inFull(descriptor: ModeDescriptor, { style, name }: Shell): readonly string[] {
  const { mode, description } = descriptor;
  const [first = ''] = messagesOf(descriptor);
  return [
    `${style.bold(shortMode(mode))}  ${style.dim(mode)}`,
    description,
    '',
    ...messagesOf(descriptor).flatMap((type) => [style.bold(type)].concat(fieldLines(mode, type))),
    '',
    style.dim(`${name} negotiate start "…" --mode ${shortMode(mode)} -p NAME -p NAME`),
    style.dim(`${name} negotiate send SESSION ${first} ${fieldPlaceholders(mode, first)}`),
    style.dim(`${name} negotiate commit SESSION --action … --scope … --reason …`),
  ];
}

function fieldLines(mode: string, type: string): readonly string[] {
  const fields = messageFields(mode, type) ?? [];
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.map(({ name, isRequired, isBytes, expected }) => {
    const takes = isBytes ? 'any text, or a file as @FILE' : expected;
    return `  ${name.padEnd(width)}  ${isRequired ? 'needed' : '      '}  ${takes}`;
  });
}

function encodeMode(descriptor: ModeDescriptor): object {
  const { mode, description } = descriptor;
  const messages = messagesOf(descriptor).map((type) => ({
    type,
    fields: (messageFields(mode, type) ?? []).map(({ name, expected, isRequired, isBytes }) => ({
      name,
      expected,
      isRequired,
      isBytes,
    })),
  }));
  return { name: shortMode(mode), mode, description, messages };
}
