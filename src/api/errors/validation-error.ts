import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import type { ApiErrorName } from './api-errors.ts';
import { shortened } from '../../core/shortened.ts';
import { maxMessages, sentences } from '../../control/errors/sentence.ts';

type Issue = z.core.$ZodIssue;

interface Finding {
  readonly name: ApiErrorName;
  readonly message: string;
}

/** Where the value came from, as messages name it. */
export type InputPlace = 'body' | 'path' | 'query';

/** The refusal for what a schema found wrong; every finding names field, value and rule. Only those that are told are put into words. */
export function validationError(issues: readonly Issue[], place: InputPlace): ApiError {
  const [first, ...others] = issues.slice(0, maxMessages).map((issue) => findingOf(issue, place));
  if (first === undefined) return new ApiError('badRequest', 'the request is not valid');
  const messages = [first, ...others].map(({ message }) => message);
  return new ApiError(first.name, others.length === 0 ? first.message : sentences(messages, issues.length));
}

function findingOf(issue: Issue, place: InputPlace): Finding {
  const { path, input } = issue;
  const field = fieldName([place, ...path]);
  const isField = typeof path.at(-1) === 'string';
  if (isField && (input === undefined || input === null) && issue.code !== 'custom') {
    const parent = fieldName([place, ...path.slice(0, -1)]);
    return { name: 'missingField', message: `"${String(path.at(-1))}" is missing from ${parent}` };
  }
  switch (issue.code) {
    case 'invalid_type':
      return {
        name: 'invalidFieldType',
        message: `value of ${field} must be ${article(issue.expected)} but got ${shown(input)}`,
      };
    case 'invalid_value': {
      if (typeof input !== 'string')
        return { name: 'invalidFieldType', message: `value of ${field} must be a string but got ${shown(input)}` };
      const values = issue.values.map((value) => JSON.stringify(value)).join(', ');
      return {
        name: 'invalidEnumValue',
        message: `value of ${field} must be one of ${values} but got value ${shown(input)}`,
      };
    }
    case 'too_small':
      return bound(issue.origin, { field, rule: `greater or equal than ${issue.minimum}`, input });
    case 'too_big':
      return bound(issue.origin, { field, rule: `lesser or equal than ${issue.maximum}`, input });
    case 'invalid_format':
      return { name: 'invalidFormat', message: `value of ${field} ${issue.message} but got value ${shown(input)}` };
    case 'unrecognized_keys':
      return {
        name: 'badRequest',
        message: `${field} takes no ${shownKeys(issue.keys)}: correct the name, or leave it out`,
      };
    case 'custom':
      return { name: nameOf(issue.params?.['name']), message: issue.message.replace('{field}', field) };
    default:
      return { name: 'badRequest', message: `value of ${field} is not valid: ${issue.message}` };
  }
}

function shownKeys(keys: readonly string[]): string {
  const some = keys.slice(0, maxMessages).map((key) => JSON.stringify(shortened(key, 100)));
  return keys.length === some.length ? some.join(', ') : `${some.join(', ')} and ${keys.length - some.length} more`;
}

function bound(origin: string, { field, rule, input }: { field: string; rule: string; input: unknown }): Finding {
  if (origin === 'number' || origin === 'int')
    return { name: 'invalidRange', message: `${field} must be ${rule} but got value ${shown(input)}` };
  const length = typeof input === 'string' || Array.isArray(input) ? input.length : 0;
  return {
    name: 'invalidLength',
    message: `length of ${field} must be ${rule} but got value ${shown(input)} (len=${length})`,
  };
}

function nameOf(name: unknown): ApiErrorName {
  switch (name) {
    case 'invalidEnumValue':
    case 'invalidLength':
    case 'invalidRange':
    case 'invalidFieldType':
    case 'invalidFormat':
    case 'componentsValidation':
    case 'bucketValidation':
    case 'tableValidation':
    case 'fileValidation':
    case 'invalidColumnName':
    case 'invalidConfigurationFormat':
    case 'invalidStateFormat':
    case 'payloadTooLarge':
      return name;
    default:
      return 'badRequest';
  }
}

function fieldName(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step)}`;
  return text;
}

function article(expected: string): string {
  return expected === 'array' || expected === 'object' || expected === 'int' ? `an ${expected}` : `a ${expected}`;
}

const shownLength = 200;

/** The value as JSON, cut: an answer does not become as large as the request. */
export function shown(input: unknown): string {
  const text = JSON.stringify(typeof input === 'string' ? input.slice(0, 2 * shownLength) : input) ?? 'nothing';
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
