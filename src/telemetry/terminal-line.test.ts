import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../core/millrace-error.ts';
import { createLogger, type Logger } from './logger.ts';
import { terminalLine } from './terminal-line.ts';

/** What a person sees of a line, without its time and its colours. */
function shown(write: (log: Logger) => void): string {
  const lines: string[] = [];
  write(createLogger({ level: 'info', role: 'main', stream: { write: (line) => void lines.push(line) } }));
  return stripVTControlCharacters(lines.map(terminalLine).join('')).replace(/^\d\d:\d\d:\d\d /, '');
}

describe('a line of the log on a terminal', () => {
  it('says what happened, and its fields behind it', () => {
    expect(shown((log) => log.info({ sinkId: 'orders', rows: 3, note: 'two words' }, 'slice sealed'))).toBe(
      ' main   slice sealed  sinkId=orders rows=3 note="two words"\n',
    );
  });

  it('names the level of what an operator should see, and the reason of an error', () => {
    const error = new MillraceError('table.notFound', 'no table "in.c-shop.orders"');
    expect(shown((log) => log.error({ code: error.code, err: error }, 'service failed'))).toBe(
      ' main   error: service failed  code=table.notFound detail="no table \\"in.c-shop.orders\\""\n',
    );
  });

  it('shows the stack of a bug', () => {
    expect(shown((log) => log.error({ err: new TypeError('x is not a function') }, 'service failed'))).toMatch(
      /^ main {3}error: service failed {2}detail="x is not a function"\n +at .*terminal-line\.test\.ts/,
    );
  });

  it('moves no cursor and hides nothing', () => {
    const text = shown((log) => log.warn({ detail: '\u001b[2J\u202e\u0085' }, 'request refused'));
    expect(text).toContain('warn: request refused');
    expect(text.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
