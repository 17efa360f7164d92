import { integerText } from '../../schemas/field.ts';

export const versionNumber = integerText({ name: 'versionNumber', min: 1, max: Number.MAX_SAFE_INTEGER }).meta({
  example: '1',
});
