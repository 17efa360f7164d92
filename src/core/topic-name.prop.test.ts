import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBranchId, parseIncarnation, parseSinkId, parseSourceId, type SinkId, type SourceId } from './ids.ts';
import { slug } from './slug.ts';
import { escapeForTopic, unescapeFromTopic } from './topic-escape.ts';
import { parseTopicName, sinkTopic, sourceTopic } from './topic-name.ts';

const legal = /^[a-zA-Z0-9._-]{1,249}$/;
const branch = fc.integer({ min: 1, max: 999_999_999_999_999 }).map((number) => parseBranchId(String(number)));
const count = fc.integer({ min: 1, max: 999_999_999_999_999 });
const given = fc
  .oneof(
    fc.string({ maxLength: 24 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('a', 'Z', '-', 'ø', 'Þ', 'ĳ', 'ŧ', '0'), maxLength: 24 }),
  )
  .filter((text) => slug(text) !== '');

const sinkKey = fc.record({ branchId: branch, sourceId: given.map(parseSourceId), sinkId: given.map(parseSinkId) });

describe('names of topics', () => {
  test('any id gives a legal topic name of a sink, and comes back', () => {
    fc.assert(
      fc.property(sinkKey, count.map(parseIncarnation), (key, incarnation) => {
        const name = sinkTopic(key, incarnation);
        expect(name).toMatch(legal);
        expect(parseTopicName(name)).toEqual({ kind: 'sink', key, incarnation });
      }),
    );
  });

  test('any id gives a legal topic name of a source, and comes back', () => {
    fc.assert(
      fc.property(branch, given, count, (branchId, source, incarnation) => {
        const key = { branchId, sourceId: parseSourceId(source) };
        const name = sourceTopic(key, incarnation);
        expect(name).toMatch(legal);
        expect(parseTopicName(name)).toEqual({ kind: 'source', key, incarnation });
      }),
    );
  });

  test('the longest ids that are accepted fit into a topic name', () => {
    const longest = 'ø'.repeat(52);
    const key = {
      branchId: parseBranchId('999999999999999'),
      sourceId: parseSourceId(longest),
      sinkId: parseSinkId(longest),
    };
    expect(sinkTopic(key, parseIncarnation(Number.MAX_SAFE_INTEGER))).toMatch(legal);
  });

  test('any text comes back from its escaped form, which holds no dot', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        (text) => {
          const escaped = escapeForTopic(text);
          expect(escaped).toMatch(/^[a-zA-Z0-9_-]*$/);
          expect(unescapeFromTopic(escaped)).toBe(text);
        },
      ),
    );
  });

  test('two ids never share a name', () => {
    const key = { branchId: parseBranchId('1'), sourceId: 'a.b' as SourceId, sinkId: 'c' as SinkId };
    const other = { ...key, sourceId: 'a' as SourceId, sinkId: 'b.c' as SinkId };
    expect(sinkTopic(key, parseIncarnation(1))).not.toBe(sinkTopic(other, parseIncarnation(1)));
  });

  test.each([
    '',
    'source',
    'source.1',
    'source.01.a',
    'source.1.a.1',
    'source.1.a.b',
    'sink.1.a.b',
    'sink.1.a.b.0',
    'other.1.a',
    'source.1.a_zz',
    '__consumer_offsets',
  ])('a foreign topic %j is not ours', (name) => expect(parseTopicName(name)).toBeUndefined());

  test('whatever parses is written the same way', () => {
    const part = fc.constantFrom('source', 'sink', '1', '2', '01', 'a', 'b_g', '_', '', 'a_e6_', '0');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const name = parts.join('.');
        const parsed = parseTopicName(name);
        if (parsed === undefined) return;
        expect(
          parsed.kind === 'sink'
            ? sinkTopic(parsed.key, parsed.incarnation)
            : sourceTopic(parsed.key, parsed.incarnation),
        ).toBe(name);
      }),
      { numRuns: 2000 },
    );
  });
});
