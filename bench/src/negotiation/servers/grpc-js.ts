import { promisify } from 'node:util';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { RUNTIME_SERVICE } from '@proffer/wire';
import { ackBytes } from './ack.js';

/** Messages stay raw bytes. */
const RAW_BYTES = {
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
};

const SERVICE = {
  send: { path: RUNTIME_SERVICE.send.path, requestStream: false, responseStream: false, ...RAW_BYTES },
  stream: {
    path: RUNTIME_SERVICE.streamSession.path,
    requestStream: true,
    responseStream: true,
    ...RAW_BYTES,
  },
} as const;

/**
 * The standard gRPC library for Node with no logic behind it: does what the bare server does, and stores
 * nothing.
 */
export async function serveGrpcJs(): Promise<{ readonly port: number }> {
  const ack = ackBytes();
  const server = new Server();
  server.addService(SERVICE, {
    send: (_call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => answer(null, ack),
    stream: (call: ServerDuplexStream<Buffer, Buffer>) => {
      call.on('data', (message: Buffer) => void call.write(message));
      call.on('end', () => call.end());
    },
  });
  const bind = promisify(server.bindAsync.bind(server));
  return { port: await bind('127.0.0.1:0', ServerCredentials.createInsecure()) };
}
