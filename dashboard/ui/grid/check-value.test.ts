import { expect, test } from 'vitest'
import { problemOf, type ValueType } from './check-value.ts'

/** `numeric(5,2)` as the check gets it. */
const typeOf = (type: string): ValueType => ({
  format: type.replace(/\(.*/, '').replace(/^.*\[\]$/, '_list'),
  type,
  isList: type.endsWith('[]'),
  choices: type === 'mood' ? ['fine', 'so so'] : [],
})

test.each([
  ['int2', '-32768'],
  ['int4', ' 2_147_483_647 '],
  ['int8', '9223372036854775807'],
  ['int8', '-9223372036854775808'],
  ['int4', '0x7fff_ffff'],
  ['numeric', '12.50'],
  ['numeric', '-1e-30'],
  ['numeric', 'NaN'],
  ['numeric', '-Infinity'],
  ['numeric(5,2)', '999.994'],
  ['numeric(5,2)', '0000999.99'],
  ['numeric(5,2)', '99999e-2'],
  ['numeric(3,5)', '0.00999'],
  ['numeric(2,-3)', '99499'],
  ['float8', 'inf'],
  ['float8', 'nan'],
  ['float8', '1.7976931348623157e308'],
  ['float4', '3.4028235e38'],
  ['float4', '0e-400'],
  ['money', '-$1,234.50'],
  ['bool', 'YES'],
  ['uuid', '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}'],
  ['json', '{"a": [1, null]}'],
  ['bytea', '\\x00ff'],
  ['bytea', 'plain'],
  ['bytea', ''],
  ['int4[]', '{1,NULL}'],
  ['int4[]', '[0:1]={1,2}'],
  ['mood', 'so so'],
  ['timestamptz', 'infinity'],
  ['date', 'tomorrow'],
  ['date', 'January 8, 99 BC'],
  ['date', '2024-02-29'],
  ['timestamp', '2026-01-01 24:00:00'],
  ['time', '23:59:60'],
  ['varchar(3)', 'abc   '],
  ['varchar(3)', '\u{1f600}\u{1f600}\u{1f600}'],
  ['bpchar(2)', 'a'],
  ['bit(3)', '101'],
  ['bit(4)', 'xF'],
  ['varbit(3)', '1'],
  ['text', ''],
])('%s takes %s', (type, text) => {
  expect(problemOf(typeOf(type), text)).toBeUndefined()
})

test.each([
  ['int2', '32768', 'int2 takes numbers from -32,768 to 32,767'],
  ['int4', '-2147483649', 'int4 takes numbers from -2,147,483,648 to 2,147,483,647'],
  [
    'int8',
    '9223372036854775808',
    'int8 takes numbers from -9,223,372,036,854,775,808 to 9,223,372,036,854,775,807',
  ],
  ['int4', '1.5', 'int4 takes whole numbers only'],
  ['int4', '2,000', 'Write this number without thousands separators: 2000'],
  ['int4', '', 'Empty text is no value of int4'],
  ['numeric', '2,000.25', 'Write this number without thousands separators: 2000.25'],
  ['float8', '-1\u00a0234.5', 'Write this number without spaces: -1234.5'],
  [
    'numeric',
    '2.000,25',
    'Write a number with a point before its decimals, and without thousands separators',
  ],
  ['numeric', 'twelve', 'This is not a number'],
  ['numeric', '1x2', 'This is not a number'],
  ['numeric(5,2)', '1000', 'numeric(5,2) takes at most 3 digits before the decimal point'],
  ['numeric(5,2)', '999.995', 'numeric(5,2) takes at most 3 digits before the decimal point'],
  ['numeric(5,2)', 'inf', 'numeric(5,2) cannot hold an infinite value'],
  ['float8', '1e309', 'This number is too large for float8'],
  ['float4', '1e-60', 'This number is too close to zero for float4'],
  ['money', 'twelve', 'This is not a number'],
  ['bool', 'maybe', 'Write true or false'],
  ['uuid', '123', 'A UUID has 32 hexadecimal digits'],
  ['bytea', '\\xabc', 'After \\x come pairs of hexadecimal digits'],
  ['bytea', 'a\\b', 'A backslash is written \\\\, and bytes as \\x00ff'],
  ['int4[]', '1,2', 'A list is written {a,b,"c d",NULL}'],
  ['mood', 'sad', 'Choose one of fine, so so'],
  ['mood', ' fine', 'Choose one of fine, so so'],
  ['date', 'soon', 'This is not a date'],
  ['date', '2026-02-29', 'There is no day 29 in 2026-02'],
  ['date', '2026-13-01', 'There is no month 13'],
  ['timestamptz', '2026-01-01 25:00', 'There is no such time of day'],
  ['time', 'noon-ish', 'This is not a time'],
  ['varchar(3)', 'abcd', 'varchar(3) takes at most 3 characters, and this has 4'],
  ['bpchar(1)', 'ab', 'char(1) takes at most 1 character, and this has 2'],
  ['bit(3)', '10', 'bit(3) takes exactly 3 bits, and this has 2'],
  ['varbit(3)', '1010', 'varbit(3) takes at most 3 bits, and this has 4'],
  ['text', 'a\0b', 'PostgreSQL cannot store the character NUL'],
])('%s refuses %s', (type, text, problem) => {
  expect(problemOf(typeOf(type), text)).toBe(problem)
})

test('JSON says where it goes wrong', () => {
  expect(problemOf(typeOf('jsonb'), '{a: 1}')).toMatch(/^This is not JSON: /)
})
