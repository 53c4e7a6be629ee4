/** A source that a test runs as a process: the path of a file for node. The file programs.ts makes it. */
declare module '*.program' {
  const file: string;
  export default file;
}
