export { type Certificate, readCertificate } from './certificate.js';
export * from './http/index.js';
export { createHttpServer, listen } from './listen.js';
export * from './ws/index.js';

/** Loaded where it is served: protobuf is a good part of what a gateway takes to start. */
export const loadGrpcTransport = (): Promise<typeof import('./grpc/index.js')> => import('./grpc/index.js');
