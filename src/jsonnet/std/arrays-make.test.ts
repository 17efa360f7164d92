import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.makeArray', () => {
  it('calls the function with each index', () => {
    expect(json('std.makeArray(4, function(i) i * 10)')).toBe('[0,10,20,30]');
    expect(json('std.makeArray(sz=1, func=function(i) "x")')).toBe('["x"]');
  });

  it('computes an element when it is used', () => {
    expect(json('std.makeArray(3, function(i) if i == 1 then error "late" else i)[2]')).toBe('2');
  });

  it('makes nothing of a size of zero or less', () => {
    expect(json('std.makeArray(0, function(i) i) + std.makeArray(-3, function(i) i)')).toBe('[]');
  });

  it('refuses a size that is not whole, and what is no function', () => {
    expect(() => json('std.makeArray(2.5, function(i) i)')).toThrow(
      'std.makeArray: argument "sz": Expected an integer, but got 2.5',
    );
    expect(() => json('std.makeArray(2, 1)')).toThrow('argument "func": Unexpected type number, expected function');
  });

  it('names the limit that a size is above', () => {
    expect(() => json('std.length(std.makeArray(1e12, function(i) i))')).toThrow('limit arrayLength exceeded');
  });

  it('charges the memory of late elements, which is more than that of numbers', () => {
    expect(json('std.length(std.makeArray(300000, function(i) i))')).toBe('300000');
    expect(() => json('std.length(std.makeArray(900000, function(i) i))')).toThrow('limit steps exceeded');
    expect(json('std.length(std.range(1, 900000))')).toBe('900000');
  });
});

describe('std.range', () => {
  it('counts from one number to another, both included', () => {
    expect(json('std.range(3, 6)')).toBe('[3,4,5,6]');
    expect(json('std.range(-1, 1)')).toBe('[-1,0,1]');
    expect(json('std.range(from=5, to=5)')).toBe('[5]');
  });

  it('is empty when the second number is the smaller one', () => {
    expect(json('std.range(2, 1)')).toBe('[]');
  });

  it('refuses numbers that are not whole', () => {
    expect(() => json('std.range(0.5, 3)')).toThrow('std.range: argument "from": Expected an integer, but got 0.5');
    expect(() => json('std.range(0, "3")')).toThrow('argument "to": Unexpected type string, expected number');
  });

  it('names the limit that a range is above', () => {
    expect(() => json('std.range(1, 1e12)')).toThrow('limit arrayLength exceeded');
    expect(() => json('std.range(-1.7e308, 1.7e308)')).toThrow('limit arrayLength exceeded');
  });
});

describe('std.repeat', () => {
  it('repeats a string or an array', () => {
    expect(json('std.repeat("ab", 3)')).toBe('"ababab"');
    expect(json('std.repeat([1, [2]], 2)')).toBe('[1,[2],1,[2]]');
  });

  it('gives nothing for a count of zero or less', () => {
    expect(json('[std.repeat("ab", 0), std.repeat([1], -1)]')).toBe('["",[]]');
  });

  it('leaves the elements late', () => {
    expect(json('std.length(std.repeat([error "late"], 3))')).toBe('3');
  });

  it('refuses other types and counts that are not whole', () => {
    expect(() => json('std.repeat(1, 2)')).toThrow('argument "what": Unexpected type number, expected array or string');
    expect(() => json('std.repeat("a", 1.5)')).toThrow('Expected an integer, but got 1.5');
  });

  it('names the limit that a repetition is above, and repeats nothing as often as one likes', () => {
    expect(() => json('std.repeat("ab", 1e9)')).toThrow('limit textLength exceeded');
    expect(() => json('std.repeat([1, 2], 1e9)')).toThrow('limit arrayLength exceeded');
    expect(json('std.repeat("", 1e300) + std.length(std.repeat([], 1e300))')).toBe('"0"');
  });
});
