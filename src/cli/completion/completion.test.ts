import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandWords } from './command-words.ts';
import { completion } from './completion.ts';
import { completionScripts } from './shell-scripts.ts';

const program = new Command('millrace')
  .helpCommand(false)
  .addCommand(
    new Command('sink')
      .helpCommand(false)
      .description("a source's tables")
      .addCommand(new Command('create').description('make one').option('--table <table>', "the table's name")),
  )
  .addCommand(new Command('send').option('-n, --number <n>', 'how many'));

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('completion', () => {
  it('knows every command with its subcommands and options', () => {
    const found = commandWords(program).map(({ path, words }) => [path, words.map(({ text }) => text)]);
    expect(found).toEqual([
      ['', ['sink', 'send', '--help']],
      ['sink', ['create', '--help']],
      ['sink create', ['--table', '--help']],
      ['send', ['--number', '--help']],
    ]);
  });

  it.skipIf(!has('bash'))('completes in bash what is typed, behind options and arguments, too', () => {
    const complete = (...words: readonly string[]): string => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const script = `${completionScripts.bash(commandWords(program))}
        COMP_WORDS=(millrace ${typed}); COMP_CWORD=${words.length}; _millrace; echo "\${COMPREPLY[*]}"`;
      const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-s'], { input: script, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout.trim();
    };
    expect(complete('s')).toBe('sink send');
    expect(complete('sink', '')).toBe('create --help');
    expect(complete('sink', 'create', 'shop', '--t')).toBe('--table');
    expect(complete('send', '--number', '3', '--n')).toBe('--number');
    expect(complete('unknown', 'sen')).toBe('send');
  });

  it.skipIf(!has('bash'))('says what a shell lacks that has no millrace but npx, which then completes', async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const terminal = { stdin, stdout, stderr, human: false, interactive: false, columns: 80 };
    const run = (name: string): Promise<unknown> =>
      new Command(name)
        .addCommand(completion({ terminal, program: name }))
        .parseAsync(['completion', 'bash'], { from: 'user' });
    await run('millrace');
    expect(stderr.read()).toBeNull();
    await run('npx millrace');
    const said = String(stderr.read());
    expect(said).toContain('a name that the shell does not know yet');
    const added = /add: (.*)\n$/.exec(said)?.[1] ?? '';
    const input = `npx() { echo "$@"; }\n${added}\nmillrace flush 'a b'\n`;
    expect(spawnSync('bash', ['--norc', '-s'], { input, encoding: 'utf8' }).stdout).toBe('millrace flush a b\n');
  });

  it('writes for fish what each word means, quoted', () => {
    const script = completionScripts.fish(commandWords(program));
    expect(script).toContain(
      `complete -c millrace -n 'test "$(__millrace_path)" = "sink create"' -l table -d 'the table\\'s name'\n`,
    );
    expect(script).toContain(`if contains -- "$path $word" ' sink' ' sink create' ' send'\n`);
  });

  it.skipIf(!has('fish'))('is what fish can read', () => {
    const input = completionScripts.fish(commandWords(program));
    expect(spawnSync('fish', ['--no-execute'], { input }).status).toBe(0);
  });
});
