export * from '@proffer/client';
