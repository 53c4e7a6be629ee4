import {
  type Method,
  PROTO_FILES,
  type ProtoFile,
  REFLECTION_ALPHA_SERVICE,
  REFLECTION_SERVICE,
  SERVICE_NAMES,
} from '@proffer/wire';
import { createCallThrottle, frame, type GrpcCall, type GrpcRoute, PREFIX } from '../call/index.js';
import { STATUS } from '../status.js';

/** A request from tools such as grpcurl; only the members that have more than an error as their answer. */
interface Asked {
  readonly host: string;
  readonly file_by_filename?: string | undefined;
  readonly file_containing_symbol?: string | undefined;
  readonly list_services?: string | undefined;
}

/** The cost of each call for its connection besides its answers: bytes that arrived and are not read yet. */
const COST = 16_384;

const byName = new Map(PROTO_FILES.map((file) => [file.name, file]));
const bySymbol = new Map(
  PROTO_FILES.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)),
);

/** `grpc.reflection`, in both of its versions; needs no token, since everything in it is public. */
export const REFLECTION_ROUTES: readonly GrpcRoute[] = [
  reflect(REFLECTION_SERVICE.serverReflectionInfo),
  reflect(REFLECTION_ALPHA_SERVICE.serverReflectionInfo),
];

function reflect<Request extends Asked>(method: Method<Request, object, 'bidi_streaming'>): GrpcRoute {
  const answer = answersIn((response) => method.response.write(response));
  return {
    path: method.path,
    always: true,
    access: 'everybody',
    single: false,
    open({ call }) {
      const unread = createUnread(call);
      const throttle = createCallThrottle(call);
      if (unread.hold(COST)) call.begin();
      return {
        take(message) {
          if (call.isOver()) return;
          const asked = method.request.read(message);
          if (!asked.ok) return call.refuse(asked.refusal);
          const { value } = asked;
          // Concatenated fields form one message.
          const head = method.response.write({ valid_host: value.host, original_request: value }, PREFIX);
          const rest = answer(value);
          if (!unread.hold(head.length + rest.length)) return;
          call.write(frame(Buffer.concat([head, rest])));
          throttle.wrote();
        },
        end: () => call.finish('OK'),
      };
    },
  };
}

/** Charges what a call does not read to its connection, and ends the call when that is too much (I-7). */
function createUnread(call: GrpcCall) {
  let held = 0;
  call.onOver(() => call.budget.give(held));
  return {
    hold(bytes: number): boolean {
      const read = Math.max(0, held - COST - call.buffered());
      call.budget.give(read);
      held -= read;
      if (call.budget.take(bytes)) {
        held += bytes;
        return true;
      }
      call.dismiss(
        'RESOURCE_EXHAUSTED',
        'RATE_LIMITED: Too many answers on this connection are unread. Read them first.',
      );
      return false;
    },
  };
}

/** All possible answers, serialised once. */
function answersIn(write: (response: object) => Buffer) {
  const files = new Map(
    PROTO_FILES.map((file) => {
      const parts = withImports(file).map((one) => Buffer.from(one.bytes).toString('base64'));
      return [file, write({ file_descriptor_response: { file_descriptor_proto: parts } })];
    }),
  );
  const services = write({ list_services_response: { service: SERVICE_NAMES.map((name) => ({ name })) } });
  const nothing = write({
    error_response: { error_code: STATUS.NOT_FOUND, error_message: 'Symbol not found.' },
  });
  return ({ list_services, file_by_filename, file_containing_symbol }: Asked): Buffer => {
    if (list_services !== undefined) return services;
    const file =
      file_by_filename === undefined
        ? bySymbol.get(file_containing_symbol ?? '')
        : byName.get(file_by_filename);
    return (file && files.get(file)) ?? nothing;
  };
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
