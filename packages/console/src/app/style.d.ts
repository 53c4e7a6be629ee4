/** Style sheets are bundled by the build and mean nothing to the compiler. */
declare module '*.css';
