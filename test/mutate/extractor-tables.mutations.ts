import type { Mutation } from './mutation.ts';

const tables = 'src/extractor/tables';

/** The rules of the tables that items become: their names, their links and what bounds them. */
export const mutations: readonly Mutation[] = [
  {
    rule: 'equal rows have equal link keys, rows that differ in an added column alone do not',
    file: `${tables}/row-writer.ts`,
    from: 'new LinkKey(table.path, item, added)',
    to: 'new LinkKey(table.path, item, [])',
    test: {
      file: `${tables}/link-keys.test.ts`,
      title: 'rows that differ in an added column alone have different keys',
    },
  },
  {
    rule: 'the link key of an array in an object has the row around it in it',
    file: `${tables}/row-writer.ts`,
    from: 'JSON.stringify([exactText(this.#row), outer])',
    to: 'exactText(this.#row)',
    test: { file: `${tables}/link-keys.test.ts`, title: 'arrays in equal objects of rows that differ' },
  },
  {
    rule: 'a name of 64 characters is not shortened',
    file: `${tables}/safe-name.ts`,
    from: 'name.length <= longest',
    to: 'name.length < longest',
    test: { file: `${tables}/safe-name.test.ts`, title: 'a name of 64 characters stays' },
  },
  {
    rule: 'runs of underscores in a name are one',
    file: `${tables}/safe-name.ts`,
    from: "replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '')",
    to: "replaceAll(/^_+|_+$/g, '')",
    test: { file: `${tables}/safe-name.test.ts`, title: ' becomes ' },
  },
  {
    rule: 'an item that is nested too deep is refused before anything walks down it',
    file: 'src/extractor/values/nesting.ts',
    from: '  if (levels === 0) return true;\n',
    to: '',
    test: { file: `${tables}/tables-limits.test.ts`, title: ', also by a mapping and however deep' },
  },
  {
    rule: 'the fields of all pages of a job count against one limit',
    file: `${tables}/node.ts`,
    from: 'observed.fields > tablesLimits.fields',
    to: 'this.fields.size > tablesLimits.fields',
    test: { file: `${tables}/tables-limits.test.ts`, title: 'fields of all pages and tables of a job together' },
  },
  {
    rule: 'a column that becomes an array on a late page is one for the rows before it',
    file: `${tables}/node.ts`,
    from: 'elements.fields = this.fields;',
    to: '',
    test: {
      file: `${tables}/extracted-tables.test.ts`,
      title: 'objects before an array of them are its elements, whatever fields they have',
    },
  },
  {
    rule: 'a child whose primary key has the link to its parent gives that link to its own children',
    file: `${tables}/mapping.ts`,
    from: 'parent?.inKey === true || entries',
    to: 'entries',
    test: { file: `${tables}/mapping.test.ts`, title: 'the link of a child, in its key, leads to the children' },
  },
  {
    rule: 'without a key, an empty value has no child rows',
    file: `${tables}/mapping.ts`,
    from: ' || (!this.#hasKey && isEmpty(value))',
    to: '',
    test: { file: `${tables}/mapping.test.ts`, title: 'empty values have no child rows without a key' },
  },
  {
    rule: 'G17: a child that is null is a row with its link where its parent has a key',
    file: `${tables}/mapping.ts`,
    from: '(value === null && mapping === this)',
    to: 'value === null',
    test: {
      file: `${tables}/mapping.test.ts`,
      title: 'a child that is null or not there is a row with the key alone',
    },
  },
  {
    rule: 'G17: a child that is null in the table of its item has no row',
    file: `${tables}/mapping.ts`,
    from: ' || (value === null && mapping === this)',
    to: '',
    test: { file: `${tables}/mapping.test.ts`, title: 'a child in the table of its item that is null has no row' },
  },
  {
    rule: 'rows that were written before their values became an array get rows of a child table',
    file: `${tables}/node.ts`,
    from: "    if (this.kind !== 'null' || this.#hadEmpty) observed.isReshaped = true;\n",
    to: '',
    test: {
      file: `${tables}/extracted-tables.prop.test.ts`,
      title: '1.11: become the same tables whatever later pages say',
    },
  },
  {
    rule: 'empty objects that were elements of no table become rows of one',
    file: `${tables}/node.ts`,
    from: '    if (this.#isElement && this.#hadEmpty) observed.isReshaped = true;\n',
    to: '',
    test: {
      file: `${tables}/extracted-tables.prop.test.ts`,
      title: '1.11: become the same tables whatever later pages say',
    },
  },
  {
    rule: 'a cell of an earlier page stands in its column of the final table',
    file: `${tables}/table-rows.ts`,
    from: 'sources.map((source) => places.get(source) ?? -1)',
    to: 'sources.map((_, at) => at)',
    test: {
      file: `${tables}/extracted-tables.test.ts`,
      title: 'cells of earlier pages stand in the columns that they have in the end',
    },
  },
  {
    rule: 'a quote that is doubled does not end a cell that moves',
    file: `${tables}/relaid-rows.ts`,
    from: "while (end >= 0 && text[end + 1] === '\"') end",
    to: "if (end >= 0 && text[end + 1] === '\"') end",
    test: {
      file: `${tables}/extracted-tables.prop.test.ts`,
      title: '1.11: become the same tables whatever later pages say',
    },
  },
  {
    rule: 'a number that no double holds is no cell',
    file: `${tables}/exact-text.ts`,
    from: "  if (typeof value === 'number' && !Number.isFinite(value)) throw beyondDouble();\n  if",
    to: '  if',
    test: { file: 'src/extractor/failures.test.ts', title: 'ends the job: ' },
  },
];
