import { expect, it } from 'vitest';
import { commandsOf } from './page-blocks.ts';

it('takes console and sh blocks apart into commands and what they show, and leaves other blocks alone', () => {
  const page = [
    'Text, `$ not a command`.',
    '```console',
    '$ one \\',
    '    --more',
    'printed',
    '',
    '$ two \\',
    '> second line',
    '```',
    '```text',
    '$ three',
    '```',
    '  ```sh',
    '  four',
    '  five',
    '  ```',
  ].join('\n');
  expect(commandsOf(page)).toEqual([
    { line: 3, text: 'one \\\n    --more', shown: ['printed'] },
    { line: 7, text: 'two \\\nsecond line', shown: [] },
    { line: 14, text: 'four\nfive', shown: [] },
  ]);
});
