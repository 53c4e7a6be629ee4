import {
  type Method,
  PROTO_FILES,
  type ProtoFile,
  REFLECTION_ALPHA_SERVICE,
  REFLECTION_SERVICE,
  SERVICE_NAMES,
} from '@proffer/wire';
import { type Call, frame } from './call.js';
import { PREFIX } from './message-reader.js';
import type { Route } from './route.js';
import { STATUS } from './status.js';

/** What tools such as grpcurl ask; only the members that are answered with more than an error. */
interface Asked {
  readonly host: string;
  readonly file_by_filename?: string | undefined;
  readonly file_containing_symbol?: string | undefined;
  readonly list_services?: string | undefined;
}

/** Below this, a peer that does not read its answers is still asked what it wants next (I-7). */
const MOST_UNREAD = 262_144;

const byName = new Map(PROTO_FILES.map((file) => [file.name, file]));
const bySymbol = new Map(
  PROTO_FILES.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)),
);

/** `grpc.reflection`, in both of its versions; needs no token, for it says nothing that is not public. */
export const REFLECTION_ROUTES: readonly Route[] = [
  reflect(REFLECTION_SERVICE.serverReflectionInfo),
  reflect(REFLECTION_ALPHA_SERVICE.serverReflectionInfo),
];

function reflect<Request extends Asked>(method: Method<Request, object, 'bidi_streaming'>): Route {
  return {
    path: method.path,
    always: true,
    open({ call }) {
      call.begin();
      return {
        take(message) {
          const asked = method.request.read(message);
          if (!asked.ok) return call.refuse(asked.refusal);
          const { value } = asked;
          const response = { valid_host: value.host, original_request: value, ...answer(value) };
          call.write(frame(method.response.write(response, PREFIX)));
          slowDown(call);
        },
        end: () => call.finish('OK'),
      };
    },
  };
}

function slowDown(call: Call): void {
  if (call.buffered() <= MOST_UNREAD) return;
  call.pause();
  void call.drained().then(() => call.resume());
}

function answer({ list_services, file_by_filename, file_containing_symbol }: Asked): object {
  if (list_services !== undefined) {
    return { list_services_response: { service: SERVICE_NAMES.map((name) => ({ name })) } };
  }
  const file =
    file_by_filename === undefined
      ? bySymbol.get(file_containing_symbol ?? '')
      : byName.get(file_by_filename);
  if (file === undefined) {
    return { error_response: { error_code: STATUS.NOT_FOUND, error_message: 'There is no such thing.' } };
  }
  const bytes = withImports(file).map((one) => Buffer.from(one.bytes).toString('base64'));
  return { file_descriptor_response: { file_descriptor_proto: bytes } };
}

function withImports(file: ProtoFile): readonly ProtoFile[] {
  const found = new Set<ProtoFile>();
  const add = (one: ProtoFile): void => {
    found.add(one);
    for (const name of one.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) add(imported);
    }
  };
  add(file);
  return [...found];
}
