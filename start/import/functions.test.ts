import { expect, test } from 'vitest'
import { entrypointOf, placed, withoutCommonFolder } from './functions.ts'

test.each([
  ['index.ts', 'functions/hello/index.ts'],
  ['../_shared/cors.ts', 'functions/_shared/cors.ts'],
  ['./a/../b.ts', 'functions/hello/b.ts'],
  ['file:///tmp/user_fn_1/source/index.ts', 'tmp/user_fn_1/source/index.ts'],
  ['/a/../../../etc/passwd', undefined],
  ['../../../etc/passwd', undefined],
  ['..%2f..%2f..%2fetc', undefined],
  ['a\\b', undefined],
  ['a\u0000b', undefined],
  ['', undefined],
])('%s is placed below the root', (path, expected) => {
  expect(placed('hello', path)).toBe(expected)
})

test('the entrypoint is found where its files are', () => {
  const paths = ['functions/hello/lib/index.ts', 'functions/hello/main.ts']
  const of = (named: string | undefined) => entrypointOf('hello', named, paths)
  expect(of('main.ts')).toBe('functions/hello/main.ts')
  expect(of('file:///home/me/supabase/functions/hello/main.ts')).toBe('functions/hello/main.ts')
  expect(of('file:///tmp/x/source/main.ts')).toBe('functions/hello/main.ts')
  expect(of(undefined)).toBe('functions/hello/lib/index.ts')
  expect(entrypointOf('hello', 'gone.ts', [])).toBeUndefined()
})

test('a folder that all files share is left out', () => {
  const file = (path: string) => ({ path, bytes: Buffer.alloc(0) })
  const paths = (...all: string[]) =>
    withoutCommonFolder(all.map(file)).files.map(({ path }) => path)
  expect(paths('a/b/index.ts', 'a/b/c/d.ts')).toEqual(['index.ts', 'c/d.ts'])
  expect(paths('a/b/index.ts', 'a/bc/d.ts')).toEqual(['b/index.ts', 'bc/d.ts'])
  expect(paths('index.ts')).toEqual(['index.ts'])
})
