export { type Certificate, readCertificate } from './certificate.js';
export * from './http/index.js';
export { createHttpServer, listen } from './listen.js';
export * from './ws/index.js';

/** Loaded on demand: protobuf is a large part of a gateway's startup time. */
export const loadGrpcTransport = (): Promise<typeof import('./grpc/index.js')> => import('./grpc/index.js');
