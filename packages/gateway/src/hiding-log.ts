import { defined, type JsonObject } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { type Logger, stdSerializers } from 'pino';

/**
 * A log without secrets, whatever is logged. Nothing logs arguments, reasons or results; but the message of an error may
 * quote them.
 */
export function hidingLog(log: Logger): Logger {
  return log.child(
    {},
    {
      formatters: {
        log: ({ err, ...details }: { readonly err?: unknown }) => ({
          ...hidden(details),
          ...defined({ err }),
        }),
      },
      serializers: { err: (error: unknown) => hidden(stdSerializers.err(error as Error)) },
    },
  );
}

/** Log entries are written as JSON. */
function hidden(entry: object): JsonObject {
  return hideSecrets({ ...entry }).value;
}
