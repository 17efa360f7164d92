/** Lines of text that wait on a disk or in memory. No line has a line end in it. What was appended is read in its order. */
export interface Spool {
  /** `name` has letters of ASCII, digits and points alone, and is short: a file may be called like that. */
  append(name: string, line: string): void | Promise<void>;
  /** Also while lines are appended to another name; a name that has no line is empty. */
  read(name: string): AsyncIterable<string>;
}
