import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { isVaultName } from '../../core/vault-variable.ts';

/** Letters, digits, `-` and `_`. */
export const vaultName = z
  .string()
  .superRefine((value, context) => {
    if (isVaultName(value)) return;
    const message = '{field} must be 1 to 96 letters, digits, "-" and "_"';
    context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
  })
  .meta({ pattern: '^[A-Za-z0-9_-]{1,96}$', example: 'api-password' });

/** Whatever is wrong with it, it is not repeated. */
const value = z
  .unknown()
  .optional()
  .transform((given, context): string => {
    const refuse = (name: string, message: string): never => {
      context.addIssue({ code: 'custom', params: { name }, message });
      return z.NEVER;
    };
    if (typeof given !== 'string' || given === '')
      return refuse('invalidFieldType', '{field} must be a text that is not empty');
    if (Buffer.byteLength(given) > limits.vaultValueBytes)
      return refuse('invalidLength', `{field} must have at most ${limits.vaultValueBytes} bytes`);
    if (!given.isWellFormed()) return refuse('invalidFormat', '{field} holds half a surrogate pair');
    return given;
  })
  .meta({ type: 'string', minLength: 1, description: 'Never shown again.' });

export const vaultBody = z.object({ name: vaultName, value }).meta({ id: 'VaultBody', required: ['name', 'value'] });
