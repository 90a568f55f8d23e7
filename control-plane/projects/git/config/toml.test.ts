import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readToml, TomlProblem } from './toml.ts'

const read = (text: string) =>
  Object.fromEntries(readToml(text).map(({ path, value }) => [path.join('.'), value]))

test('tables, names and values of all kinds', () => {
  expect(
    read(`# a project
project_id = "books" # its name
[api]
schemas = [
  "public", # the first
  'graphql_public',
]
max_rows = 1_000
"quoted.name" = -1.5
[auth.email]
enable_signup = true
otp.length = 8
[functions.hello-world]
verify_jwt = false
limits = { memory = 0x10, names = ["a"], }
[[remotes]]
at = 2026-01-02T03:04:05Z
[[remotes]]
at = 07:32:00`),
  ).toEqual({
    project_id: 'books',
    'api.schemas': ['public', 'graphql_public'],
    'api.max_rows': 1000,
    'api.quoted.name': -1.5,
    'auth.email.enable_signup': true,
    'auth.email.otp.length': 8,
    'functions.hello-world.verify_jwt': false,
    'functions.hello-world.limits.memory': 16,
    'functions.hello-world.limits.names': ['a'],
    'remotes.0.at': '2026-01-02T03:04:05.000Z',
    'remotes.1.at': '07:32:00.000',
  })
})

test('texts in one line and in several, with and without escapes', () => {
  expect(
    read(String.raw`a = "tab\t\u00e9 \"q\""
b = 'C:\new'
c = """
one \
   two
"three""""
d = '''
a'b
'''`),
  ).toEqual({ a: 'tab\té "q"', b: String.raw`C:\new`, c: 'one two\n"three"', d: "a'b\n" })
  expect(read('\uFEFFa = 1\r\nb = 2\r\n')).toEqual({ a: 1, b: 2 })
})

test.each([
  ['a = ', 1],
  ['a = 1 b = 2', 1],
  ['\n[auth', 2],
  ['a = "open', 1],
  ['a = "\\q"', 1],
  ['a = "\\ud800"', 1],
  ['a = [1, 2', 1],
  ['a = nonsense', 1],
  ['= 1', 1],
  [`a = ${'['.repeat(200)}`, 1],
])('%j is no TOML, and the line is said', (text, line) => {
  expect(() => readToml(text)).toThrow(TomlProblem)
  expect(() => readToml(text)).toThrow(new RegExp(`^line ${line}: `))
})

test('whatever a repository holds is read or refused in words', () => {
  const parts = fc.constantFrom(
    'a',
    '=',
    '"',
    "'''",
    '[',
    ']',
    '{',
    '}',
    '\n',
    '.',
    ',',
    '1',
    '\\u',
    '#',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(parts).map((all) => all.join('')),
      ),
      (text) => {
        try {
          readToml(text)
        } catch (error) {
          expect(error).toBeInstanceOf(TomlProblem)
        }
      },
    ),
  )
})
