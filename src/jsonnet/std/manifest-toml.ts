import { typeName, isObject, type Value } from '../values/value.ts';
import type { Evaluation } from '../evaluation.ts';
import { TextBuilder } from './text-builder.ts';
import { builtin, type Builtin } from './builtin.ts';
import { writeTomlTable } from './manifest-toml-table.ts';

/** TOML output. */
export const tomlOutput: readonly Builtin[] = [
  builtin('manifestToml', ['value: any'], ([value], evaluation) => tomlText(value, '  ', evaluation)),
  builtin('manifestTomlEx', ['value: any', 'indent: string'], ([value, indent], evaluation) =>
    tomlText(value, indent, evaluation),
  ),
];

function tomlText(value: Value, indent: string, evaluation: Evaluation): string {
  if (!isObject(value)) throw evaluation.error(`TOML body must be an object. Got ${typeName(value)}`);
  const builder = new TextBuilder(evaluation);
  writeTomlTable(value, { builder, evaluation, indent, margin: '', header: '', path: undefined });
  return builder.finish();
}
