/** D8: what one job may ask for. Data that goes past one has ids as keys, or is no table. */
export const tablesLimits = {
  /** Fields of a job, in all its tables. */
  fields: 10_000,
  /** Characters of their names. */
  nameCharacters: 4 * 1024 ** 2,
  /** Tables of a job. */
  tables: 500,
  /** Arrays and objects around a value of an item, the item among them. */
  nesting: 300,
  /** Different sets of added columns. */
  addedSets: 10_000,
} as const;
