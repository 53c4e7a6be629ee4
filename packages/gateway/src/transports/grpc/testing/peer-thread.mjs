// A MACP client in a separate thread that shares no code with the gateway: gRPC by grpc-js, messages by
// protobufjs straight from the .proto files. Its parent posts commands, and gets the results.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { Client, credentials, Metadata } from '@grpc/grpc-js';

// The .proto library that grpc-js itself depends on.
const require = createRequire(import.meta.url);
const protobuf = createRequire(createRequire(require.resolve('@grpc/grpc-js')).resolve('@grpc/proto-loader'))(
  'protobufjs',
);

const proto = `${dirname(fileURLToPath(import.meta.url))}/../../../../../wire/proto`;
const root = new protobuf.Root();
root.resolvePath = (/** @type {string} */ _from, /** @type {string} */ name) => `${proto}/${name}`;
root.loadSync(
  [
    'macp/v1/runtime.proto',
    'macp/modes/proposal/v1/proposal.proto',
    'grpc/health/v1/health.proto',
    'grpc/reflection/v1/reflection.proto',
    'grpc/reflection/v1alpha/reflection.proto',
  ],
  { keepCase: true },
);
root.resolveAll();

/** @type {Map<string, Client>} */
const clients = new Map();
/** @type {Map<number, import('@grpc/grpc-js').ClientDuplexStream<unknown, unknown>>} */
const streams = new Map();

/** @param {any} message */
function say(message) {
  parentPort?.postMessage(message);
}

/** @param {{ target: string, ca?: Buffer, channel?: object }} order */
function clientFor({ target, ca, channel = {} }) {
  const key = `${target} ${JSON.stringify(channel)}`;
  const known = clients.get(key);
  if (known !== undefined) return known;
  const secured = ca === undefined ? credentials.createInsecure() : credentials.createSsl(Buffer.from(ca));
  const client = new Client(target, secured, { 'grpc.use_local_subchannel_pool': 1, ...channel });
  clients.set(key, client);
  return client;
}

/** @param {string} path - such as `macp.v1.MACPRuntimeService/Send` */
function codecOf(path) {
  const [service = '', name = ''] = path.split('/');
  const method = root.lookupService(service).methods[name];
  const request = method.resolvedRequestType;
  const response = method.resolvedResponseType;
  return {
    // Bytes made by the test are sent unchanged.
    serialize: (/** @type {any} */ value) =>
      value instanceof Uint8Array
        ? Buffer.from(value)
        : Buffer.from(request.encode(withPayload(value)).finish()),
    deserialize: (/** @type {Buffer} */ bytes) =>
      response.toObject(response.decode(bytes), {
        defaults: true,
        longs: Number,
        enums: String,
        oneofs: false,
      }),
  };
}

/** Encodes the payload of an envelope from the name of its type and its fields. @param {any} value */
function withPayload(value) {
  const { envelope } = value;
  if (envelope?.payload === undefined || envelope.payload instanceof Uint8Array) return value;
  const { type, ...fields } = envelope.payload;
  const payload = root.lookupType(type).encode(fields).finish();
  return { ...value, envelope: { ...envelope, payload } };
}

/** @param {string | undefined} token */
function metadataOf(token) {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

/** @param {any} error */
function statusOf({ code, details, metadata }) {
  return { code, details, macpCode: metadata?.get('macp-error-code')[0] };
}

/** @type {Record<string, (order: any) => void>} */
const ORDERS = {
  ask({ id, path, request, token, timeout, ...where }) {
    const { serialize, deserialize } = codecOf(path);
    const options = timeout === undefined ? {} : { deadline: Date.now() + timeout };
    clientFor(where).makeUnaryRequest(
      `/${path}`,
      serialize,
      deserialize,
      request,
      metadataOf(token),
      options,
      (error, response) => say(error === null ? { id, response } : { id, status: statusOf(error) }),
    );
  },
  open({ id, path, token, timeout, ...where }) {
    const { serialize, deserialize } = codecOf(path);
    const options = timeout === undefined ? {} : { deadline: Date.now() + timeout };
    const stream = clientFor(where).makeBidiStreamRequest(
      `/${path}`,
      serialize,
      deserialize,
      metadataOf(token),
      options,
    );
    streams.set(id, stream);
    stream.on('metadata', () => say({ id, event: 'began' }));
    stream.on('data', (message) => say({ id, event: 'message', message }));
    stream.on('error', () => {});
    stream.on('status', (status) => say({ id, event: 'status', status: statusOf(status) }));
  },
  write: ({ id, request }) => streams.get(id)?.write(request),
  end: ({ id }) => streams.get(id)?.end(),
  cancel: ({ id }) => streams.get(id)?.cancel(),
  pause: ({ id }) => streams.get(id)?.pause(),
  resume: ({ id }) => streams.get(id)?.resume(),
};

parentPort?.on('message', (/** @type {any} */ order) => ORDERS[order.order]?.(order));
say({ id: 0 });
