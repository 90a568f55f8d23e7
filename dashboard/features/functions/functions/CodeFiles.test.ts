import { expect, test } from 'vitest'
import { mappedTypes } from './CodeFiles.tsx'

const file = (path: string, content: string) => ({ path, content, encoding: 'utf8' as const })

test('names of import maps are declared, each once; folders with all that is in them', () => {
  const map = '{"imports": {"zod": "npm:zod@4", "$lib/": "./lib/", "say \\"x\\"": "jsr:x"}}'
  expect(mappedTypes([file('deno.json', map), file('a/import_map.json', map)])).toBe(
    'declare module "zod"\ndeclare module "$lib/*"\ndeclare module "say \\"x\\""\n',
  )
})

test.each([
  ['a map that somebody is writing', 'deno.json', '{"imports": {'],
  ['no map at all', 'deno.json', '7'],
  ['imports that are none', 'deno.json', '{"imports": null}'],
  ['a pattern', 'deno.json', '{"imports": {"a*b*": "x"}}'],
  ['another file', 'data.json', '{"imports": {"zod": "x"}}'],
])('%s declares nothing', (_, path, text) => {
  expect(mappedTypes([file(path, text)])).toBe('')
})
