import { TextBuilder } from './text-builder.ts';
import { builtin, type Builtin } from './builtin.ts';
import { writeYaml } from './manifest-yaml-document.ts';

/** YAML output. */
export const yamlOutput: readonly Builtin[] = [
  builtin(
    'manifestYamlDoc',
    ['value: any', 'indent_array_in_object?: boolean', 'quote_keys?: boolean'],
    ([value, indentArrays = false, quoteKeys = true], evaluation) => {
      const builder = new TextBuilder(evaluation);
      writeYaml(value, { builder, evaluation, indentArrays, quoteKeys });
      return builder.finish();
    },
  ),
  builtin(
    'manifestYamlStream',
    ['value: array', 'indent_array_in_object?: boolean', 'c_document_end?: boolean', 'quote_keys?: boolean'],
    ([documents, indentArrays = false, documentEnd = true, quoteKeys = true], evaluation) => {
      const builder = new TextBuilder(evaluation);
      evaluation.steps(documents.length);
      builder.append('---\n');
      documents.forEach((slot, index) => {
        if (index > 0) builder.append('\n---\n');
        writeYaml(evaluation.force(slot), { builder, evaluation, indentArrays, quoteKeys });
      });
      return builder.append(documentEnd ? '\n...\n' : '\n').finish();
    },
  ),
];
