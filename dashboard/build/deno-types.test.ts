import { expect, test } from 'vitest'
import { denoTypes, withoutReferences } from './deno-types.ts'

test('references to libraries go, and nothing else', () => {
  const text =
    '/// <reference lib="deno.net" />\n/** See `/// <reference x />` */\ndeclare const a: 1\n'
  expect(withoutReferences(text)).toBe('/** See `/// <reference x />` */\ndeclare const a: 1\n')
})

test('the module holds what the Deno of this machine says of itself', async () => {
  const { load } = denoTypes()
  if (typeof load !== 'function') throw new Error('There is nothing to load')
  const code = await load.call({} as never, '\0virtual:deno-types')
  expect(code).toContain('declare namespace Deno {')
  expect(code).not.toContain('<reference no-default-lib')
  expect(await load.call({} as never, './other.ts')).toBeUndefined()
})
