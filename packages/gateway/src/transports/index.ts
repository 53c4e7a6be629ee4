export { type Certificate, readCertificate } from './certificate.js';
export * from './grpc/index.js';
export * from './http/index.js';
export { listen } from './listen.js';
export * from './ws/index.js';
