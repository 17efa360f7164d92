import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readColumns } from './read-columns.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-columns-'));
  await mkdir(join(folder, 'templates'));
  await writeFile(join(folder, 'templates', 'a.jsonnet'), 'Body("a")\n');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const template = { language: 'jsonnet', content: 'Body("a")\n' };

describe('the template of a column', () => {
  it('is read from the file that stands after @', async () => {
    const file = join(folder, 'templates', 'a.jsonnet');
    expect(await readColumns({ column: [`x:template:@${file}`, `y:template-text:@${file}`] })).toEqual([
      { name: 'x', type: 'template', rawString: false, template },
      { name: 'y', type: 'template', rawString: true, template },
    ]);
  });

  it('in a file of columns is looked for beside that file', async () => {
    const file = join(folder, 'columns.yaml');
    await writeFile(file, '- id:uuid\n- x:template:@templates/a.jsonnet\n');
    expect(await readColumns({ columns: file })).toEqual([
      { name: 'id', type: 'uuid' },
      { name: 'x', type: 'template', rawString: false, template },
    ]);
  });

  it('may itself begin with the @ of a string', async () => {
    for (const content of [`@"a\\b"`, `@'a'`])
      expect(await readColumns({ column: [`x:template:${content}`] })).toEqual([
        { name: 'x', type: 'template', rawString: false, template: { language: 'jsonnet', content } },
      ]);
  });

  it('D9: is refused with the name of the column when there is no such file', async () => {
    const reading = readColumns({ column: [`x:template:@${join(folder, 'none.jsonnet')}`] });
    await expect(reading).rejects.toThrow('Column "x": its template cannot be read: ');
  });
});
