export * from '@proffer/client';
export * from '@proffer/client/negotiation';
