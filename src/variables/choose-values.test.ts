import { describe, expect, it } from 'vitest';
import { chooseValues, refuseTwoSources, rowToRead, type AskedValues } from './choose-values.ts';
import { parseGivenValues } from './values.ts';

const definition = { variables: [{ name: 'x', type: 'string' }] };
const row = { values: [{ name: 'x', value: 'row' }] };
const inline = [{ name: 'x', value: 'job' }];
const all: AskedValues = { variablesId: 'V', defaultValuesId: 'D', valuesId: 'R' };

describe('A54: the values that count', () => {
  it('are those of the job before all others', () => {
    const asked = { ...all, valuesId: undefined, values: inline };
    expect(rowToRead(asked)).toBeUndefined();
    expect(chooseValues(asked, { definition, row })).toEqual({
      values: new Map([['x', 'job']]),
      note: 'Replacing variables using inline values.',
    });
  });

  it.each([
    ['the row that the job names', all, 'R', 'Replacing variables using values with ID: "R".'],
    [
      'it when the list of the job is empty',
      { ...all, values: [] },
      'R',
      'Replacing variables using values with ID: "R".',
    ],
    [
      'the default row of the configuration',
      { ...all, valuesId: '' },
      'D',
      'Replacing variables using default values with ID: "D"',
    ],
  ])('then %s', (...[, asked, id, note]) => {
    expect(rowToRead(asked)).toBe(id);
    expect(chooseValues(asked, { definition, row })).toEqual({ values: new Map([['x', 'row']]), note });
  });

  it('are none without a variable configuration, whatever was given', () => {
    const asked = { defaultValuesId: 'D', values: inline };
    expect(rowToRead(asked)).toBeUndefined();
    expect(chooseValues(asked, { definition: undefined })).toBeUndefined();
  });

  it('may be more than the defined ones, and an integer is its text', () => {
    const values = [...inline, { name: 'n', value: 12345678901234567890n }, { name: 7, value: true }];
    expect(chooseValues({ variablesId: 'V', values }, { definition })?.values).toEqual(
      new Map([
        ['x', 'job'],
        ['n', '12345678901234567890'],
        ['7', '1'],
      ]),
    );
  });
});

describe('A54: values cannot be chosen', () => {
  it.each([
    [
      'from two places',
      { ...all, values: inline },
      {},
      'Only one of variableValuesId and variableValuesData can be entered.',
    ],
    [
      'from nowhere',
      { variablesId: 'V', values: [] },
      {},
      'No variable values provided for variables configuration "V".',
    ],
    [
      'when a defined one is missing',
      { variablesId: 'V', values: [{ name: 'y', value: 1 }] },
      {},
      'No value provided for variable "x".',
    ],
    ['without a name', { variablesId: 'V', values: [{ name: '', value: 1 }] }, {}, 'Variable name cannot be empty.'],
    ['without a name at all', { variablesId: 'V', values: [{ value: 1 }] }, {}, 'Variable name cannot be empty.'],
    [
      'without the definition',
      { ...all, variablesId: 'non-existent' },
      { definition: undefined },
      'Variable configuration cannot be read: Configuration "non-existent" not found',
    ],
    [
      'by a wrong definition',
      all,
      { definition: { invalid: 'data' } },
      'Variable configuration is invalid: Unrecognized option "invalid" under "configuration". Available option is "variables".',
    ],
    [
      'by a definition without a type',
      all,
      { definition: { variables: [{ name: 'x' }] } },
      'Variable configuration is invalid: The child config "type" under "configuration.variables.0" must be configured.',
    ],
    [
      'by a definition with an empty type',
      all,
      { definition: { variables: [{ name: 'x', type: '' }] } },
      'Variable configuration is invalid: The path "configuration.variables.0.type" cannot contain an empty value, but got "".',
    ],
    [
      'from a row that is not there',
      all,
      { row: undefined },
      'Cannot read variable values "R" of variables configuration "V".',
    ],
    [
      'from a wrong row',
      all,
      { row: { values: [{ name: 'x', value: '1', more: 1 }] } },
      'Variable values configuration is invalid: Unrecognized option "more" under "configuration.values.0". Available options are "name", "value".',
    ],
    [
      'from a row with an empty value',
      all,
      { row: { values: [{ name: 'x', value: '' }] } },
      'Variable values configuration is invalid: The path "configuration.values.0.value" cannot contain an empty value, but got "".',
    ],
    [
      'from a row with a list as value',
      all,
      { row: { values: [{ name: 'x', value: [] }] } },
      'Variable values configuration is invalid: Invalid type for path "configuration.values.0.value". Expected "scalar", but got "array".',
    ],
    [
      'from a row whose values are no list',
      all,
      { row: { values: 'x' } },
      'Variable values configuration is invalid: Invalid type for path "configuration.values". Expected "array", but got "string".',
    ],
  ])('%s', (...[, asked, found, message]) => {
    const chosen = (): unknown => chooseValues(asked, { definition, row, ...found });
    expect(chosen).toThrow(expect.objectContaining({ name: 'VariableError', message }));
  });

  it('for a new job from two places', () => {
    const message = 'Provide either "variableValuesId" or "variableValuesData", but not both.';
    expect(() => refuseTwoSources({ valuesId: 'R', values: inline })).toThrow(message);
    expect(() => refuseTwoSources({ valuesId: 'R', values: [] })).not.toThrow();
  });
});

describe('A54: given values', () => {
  it.each([
    [
      'a list',
      [
        { name: 'a', value: '1' },
        { name: 'a', value: 2.5 },
      ],
      { a: '2.5' },
    ],
    ['an object', { a: '', values: false }, { a: '', values: '' }],
    ['what a row has', { values: [{ name: 'a', value: '1' }] }, { a: '1' }],
    ['an object with a name of the prototype', JSON.parse('{"__proto__":"1"}'), [['__proto__', '1']]],
  ])('are %s', (_name, given, wanted) => {
    const values = parseGivenValues(given);
    expect(Array.isArray(wanted) ? [...values] : Object.fromEntries(values)).toEqual(wanted);
  });

  it.each([
    ['Values must be a list', 'x'],
    ['Element 0 of the values must be', ['x']],
    ['The name in element 0', [{ name: [], value: '1' }]],
    ['The value of the variable "a" must be a text', { a: null }],
    ['The value of the variable "a" must be a text', [{ name: 'a' }]],
  ])('D9: are refused: %s', (message, given) => {
    expect(() => parseGivenValues(given)).toThrow(message);
  });
});
