import { afterAll, describe, expect, it } from 'vitest';
import { JsonnetProcess } from '../support/jsonnet-process.ts';

const jsonnet = new JsonnetProcess(64);

afterAll(() => jsonnet[Symbol.dispose]());

const doubling = 'local double(s, n) = if n == 0 then s else double(s + s, n - 1) tailstrict;';
const nesting = 'local nest(n, v) = if n == 0 then v else nest(n - 1, [v]) tailstrict;';
const nestingObjects = 'local nest(n, v) = if n == 0 then v else nest(n - 1, { a: v }) tailstrict;';
/** Values that are used twice each, so that 40 of them are a trillion when they are gone through. */
const sharing = 'local share(n, v) = if n == 0 then v else share(n - 1, [v, v]) tailstrict;';
const sharingObjects = 'local share(n, v) = if n == 0 then v else share(n - 1, { a: v, b: v }) tailstrict;';

/** Computes an expression in each of 100,000 turns; `r` has as many numbers, `s` and `t` are long texts. */
function often(expression: string): string {
  return `${doubling} local r = std.range(1, 100000), s = double("ab", 18), t = double("é😀", 16);
    std.foldl(function(a, x) if std.type(${expression}) == "null" then a else x, r, 0)`;
}

describe('a loop in std costs steps', () => {
  it.each([
    'std.length(t)',
    't[70000]',
    't[70000:70001]',
    'std.substr(t, 70000, 1)',
    's < s + x',
    's == double("ab", 18)',
    'std.startsWith(s, double("ab", 18))',
    'std.endsWith(s, double("ab", 18))',
    'std.findSubstr("zz", s)',
    'std.findSubstr(double("a", 12) + "b", double("a", 16))',
    'std.split(s, "zz")',
    'std.splitLimit(s, "a", -1)',
    'std.splitLimitR(s, "zz", 5)',
    'std.strReplace(s, "zz", "y")',
    'std.asciiUpper(s)',
    'std.trim(s)',
    'std.stripChars(s, s)',
    'std.equalsIgnoreCase(s, s + "")',
    'std.stringChars(s)',
    'std.encodeUTF8(t)',
    'std.base64(s)',
    'std.base64Decode(double("YWJj", 14))',
    'std.md5(s)',
    'std.sha1(s)',
    'std.sha256(s)',
    'std.sha512(s)',
    'std.sha3(s)',
    'std.escapeStringJson(double("\\u0001", 14))',
    'std.parseJson("[" + double("1,", 14) + "1]")',
    'std.parseYaml("[1]")',
    'std.member(r, -x)',
    'std.count(r, -x)',
    'std.find(-x, r)',
    'std.reverse(r)',
    'std.sum(r)',
    'std.maxArray(r)',
    'std.sort(r)',
    'std.set(r)',
    'std.setMember(x, r)',
    'std.setInter(r, r)',
    'std.uniq(r)',
    'std.all(std.repeat([true], 1000))',
    'r + r',
    'r[1:]',
    'r == r + []',
    'std.toString(r)',
    'std.manifestJson(r[:1000])',
    'std.format(std.repeat("%d", 1000), r[:1000])',
    'std.mergePatch({ a: 1 }, { b: x })',
    'std.objectFields({ a: 1 } + { ["k" + x]: 1 })',
  ])('%s', async (expression) => {
    expect(await jsonnet.outcomeOf(often(expression))).toBe('limit steps');
  });

  it.each([
    [
      'an expensive key',
      'std.sort(std.range(1, 1000), function(x) std.foldl(function(a, b) a + b, std.range(1, 10000), 0))',
    ],
    ['asserts in a loop', '[{ assert std.length(std.range(1, 100000)) > 0, a: x }.a for x in std.range(1, 1000)]'],
    [
      'removals',
      `local o = { ["k" + i]: i for i in std.range(1, 5000) };
      std.foldl(function(a, x) std.objectRemoveKey(a, "k" + x), std.range(1, 5000), o)`,
    ],
    ['shared arrays flattened', `${sharing} std.length(std.flattenDeepArray(share(40, 1)))`],
    ['shared arrays joined', `${sharing} std.deepJoin(share(40, ""))`],
    ['shared arrays pruned', `${sharing} std.length(std.prune(share(40, 1)))`],
    ['shared arrays compared', `${sharing} share(40, 1) == share(40, 1)`],
    ['shared arrays put in order', `${sharing} share(40, 1) < share(40, 1)`],
    ['shared objects compared', `${sharingObjects} share(40, 1) == share(40, 1)`],
    ['aliases in YAML', `std.length([x for x in std.flattenDeepArray(std.parseYaml(${yamlAliases()}))])`],
    ['long YAML', `${doubling} std.parseYaml(double("- a\\n", 16))`],
    ['deep YAML', `${doubling} std.parseYaml(double("[", 16))`],
  ])('%s', async (_name, source) => {
    expect(await jsonnet.outcomeOf(source)).toBe('limit steps');
  });
});

/** The text of a YAML document, as jsonnet, of 40 anchors each of which is used twice by the next. */
function yamlAliases(): string {
  const lines = Array.from({ length: 40 }, (_none, index) =>
    index === 0 ? '- &a0 [x, x]' : `- &a${index} [*a${index - 1}, *a${index - 1}]`,
  );
  return JSON.stringify(lines.join('\n'));
}

describe('nesting in data counts as depth', () => {
  it.each([
    ['the result', `${nesting} nest(10000, 1)`],
    ['the result, of objects', `${nestingObjects} nest(10000, 1)`],
    ['a text of it', `${nesting} "" + nest(10000, 1)`],
    ['equality', `${nesting} nest(10000, 1) == nest(10000, 1)`],
    ['equality of objects', `${nestingObjects} nest(10000, 1) == nest(10000, 1)`],
    ['order', `${nesting} nest(10000, 1) < nest(10000, 1)`],
    ['std.sort', `${nesting} std.sort([nest(10000, x) for x in [2, 1]])`],
    ['std.flattenDeepArray', `${nesting} std.flattenDeepArray(nest(10000, 1))`],
    ['std.deepJoin', `${nesting} std.deepJoin(nest(10000, "1"))`],
    ['std.prune', `${nesting} std.prune(nest(10000, 1))`],
    ['std.mergePatch', `${nestingObjects} std.mergePatch(nest(10000, 1), nest(10000, 2))`],
    ['std.manifestJson', `${nesting} std.manifestJson(nest(10000, 1))`],
    ['std.manifestYamlDoc', `${nestingObjects} std.manifestYamlDoc(nest(10000, 1))`],
    ['std.manifestToml', `${nestingObjects} std.manifestToml(nest(10000, 1))`],
    ['std.manifestPython', `${nesting} std.manifestPython(nest(10000, 1))`],
    [
      'std.manifestXmlJsonml',
      'local nest(n, v) = if n == 0 then v else nest(n - 1, ["a", v]) tailstrict; std.manifestXmlJsonml(nest(10000, "x"))',
    ],
    ['std.parseJson', 'std.parseJson(std.repeat("[", 100000) + std.repeat("]", 100000))'],
    ['std.parseJson of objects', `std.parseJson(std.repeat('{"a":', 100000) + "1" + std.repeat("}", 100000))`],
    ['std.parseYaml', 'std.parseYaml(std.repeat("[", 1000) + std.repeat("]", 1000))'],
    ['std.parseYaml of lists', 'std.parseYaml(std.repeat("- ", 1000))'],
    ['fields that add to fields', `{ a: 1 }${' + { a+: 1 }'.repeat(600)}`],
    ['fields of super', 'std.foldl(function(o, x) o { k: super.k + 1 }, std.range(1, 1000), { k: 0 })'],
    ['an assert of an object in an assert', 'local f(n) = { assert f(n + 1).a == 1, a: 1 }; f(0)'],
  ])('%s', async (_name, source) => {
    expect(await jsonnet.outcomeOf(source)).toBe('limit depth');
  });
});

describe('a text that std makes has the length of any text', () => {
  it.each([
    ['std.strReplace', `${doubling} std.strReplace(double("a", 19), "a", double("b", 10))`],
    ['std.join', `${doubling} std.join(double("x", 15), std.repeat(["a"], 1000))`],
    ['std.lines', `${doubling} std.lines(std.repeat([double("x", 15)], 1000))`],
    ['std.flatMap', `${doubling} local s = double("a", 12); std.flatMap(function(x) s, s)`],
    ['std.escapeStringXML', `${doubling} std.escapeStringXML(double("&", 19))`],
    ['std.escapeStringBash', `${doubling} std.escapeStringBash(double("'", 19))`],
    ['std.escapeStringJson', `${doubling} std.escapeStringJson(double("\\u0000", 19))`],
    ['std.base64', `${doubling} std.base64(double("a", 20))`],
    ['std.manifestJsonEx, by its indent', `${doubling} std.manifestJsonEx([[[1]]], double(" ", 19))`],
    [
      'std.manifestJsonEx, by its line ends',
      `${doubling} std.manifestJsonEx(std.range(1, 1000), "", double("\\n", 19))`,
    ],
    ['std.manifestTomlEx, by its indent', `${doubling} std.manifestTomlEx({ a: { b: { c: 1 } } }, double(" ", 19))`],
    ['std.manifestYamlDoc, by its lines', `${doubling} std.manifestYamlDoc({ a: { b: double("\\n", 19) } })`],
    ['std.manifestYamlDoc', `${sharing} std.manifestYamlDoc(share(40, 1))`],
    ['std.manifestToml', `${sharingObjects} std.manifestToml(share(40, 1))`],
    ['std.manifestPython', `${sharing} std.manifestPython(share(40, 1))`],
    ['std.manifestJson', `${sharing} std.manifestJson(share(40, []))`],
    ['std.manifestIni', 'std.manifestIni({ main: { key: std.repeat(["x"], 300000) }, sections: {} })'],
  ])('%s', async (_name, source) => {
    expect(await jsonnet.outcomeOf(source)).toBe('limit textLength');
  });
});
