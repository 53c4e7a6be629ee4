/** A source that a test runs as a process: the path of a file for node, built by programs.ts. */
declare module '*.program' {
  const file: string;
  export default file;
}
