import { builtin, type Builtin } from './builtin.ts';

/** What the host gives: external variables and native functions. */
export const external: readonly Builtin[] = [
  builtin('extVar', ['x: string'], ([name], evaluation) => {
    const { extVars } = evaluation.surroundings;
    const value = Object.hasOwn(extVars, name) ? extVars[name] : undefined;
    if (value === undefined) throw evaluation.error(`Undefined external variable: ${name}`);
    return value;
  }),
  builtin('native', ['x: string'], ([name], evaluation) => {
    const { natives } = evaluation.surroundings;
    return (Object.hasOwn(natives, name) ? natives[name] : undefined) ?? null;
  }),
];
