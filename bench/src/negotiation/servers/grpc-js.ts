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

/** What is sent stays the bytes that it is. */
const AS_IT_IS = {
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
};

const SERVICE = {
  send: { path: RUNTIME_SERVICE.send.path, requestStream: false, responseStream: false, ...AS_IT_IS },
  stream: {
    path: RUNTIME_SERVICE.streamSession.path,
    requestStream: true,
    responseStream: true,
    ...AS_IT_IS,
  },
} as const;

/** The usual gRPC library of Node with nothing behind it: it does what the bare server does, and keeps nothing. */
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
