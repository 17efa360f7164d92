import { Command } from 'commander';
import { expect, test } from 'vitest';
import { typeOption } from './type-option.ts';

function given(type: string): unknown {
  const command = new Command('create').exitOverride().configureOutput({ writeErr: () => undefined });
  return command.addOption(typeOption('what it receives')).parse(['--type', type], { from: 'user' }).opts()['type'];
}

test('--type takes what there is, and names it for anything else', () => {
  expect(given('http')).toBe('http');
  expect(given('otlp')).toBe('otlp');
  expect(() => given('ftp')).toThrow("argument 'ftp' is invalid. Allowed choices are http, otlp.");
});
