/** Style sheets are bundled by the build; the compiler ignores them. */
declare module '*.css';
