declare module 'pbf/compile' {
  /** The code of a parsed schema: readers and writers as JavaScript. */
  export function compileRaw(schema: object, options: object): string;
}

declare module 'protocol-buffers-schema/parse.js' {
  const parse: (text: string) => { readonly messages: readonly object[] };
  export default parse;
}
