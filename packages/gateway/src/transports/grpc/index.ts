export { createGrpcTransport } from './server.js';
