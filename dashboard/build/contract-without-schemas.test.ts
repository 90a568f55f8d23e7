import { rolldown } from 'rolldown'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { applied, editsFor } from './contract-without-schemas.ts'

type Program = Parameters<typeof editsFor>[0]
const strip = (code: string) =>
  applied(code, editsFor(parseSync('x.js', code).program as unknown as Program))
const bare = (code: string) => strip(code).replaceAll('/* @__PURE__ */', '').replace(/\s+/g, '')

test('an endpoint keeps everything but its schemas', () => {
  const code = `const a = endpoint('a', 'GET /a/:id', { needs: 'anyone', input: z.object({ id }), returns: A, status: 201 })`
  expect(bare(code)).toBe(`consta=(endpoint('a','GET/a/:id',{needs:'anyone',status:201}))`)
})

test('schemas nested in other calls, and several endpoints', () => {
  const code = `const p = { one: endpoint('one', 'GET /', { input: z.object({}), returns: z.array(z.object({ input: z.string() })) }), two: endpoint('two', 'GET /', { returns: A }) }`
  expect(bare(code)).toBe(
    `constp={one:(endpoint('one','GET/',{})),two:(endpoint('two','GET/',{}))}`,
  )
})

test('objects that are not endpoints keep their properties', () => {
  expect(bare(`const a = other('x', 'y', { input: 1, returns: 2 })`)).toContain(
    '{input:1,returns:2}',
  )
})

test('what is marked still means the same', async () => {
  const code = `
    const base = { a: 1 }
    const list = [...[3, 1, 2].map((n) => n * 2)].toSorted((a, b) => a - b)
    const merged = { ...base, ...{ b: list }, c: ((x) => [...x, 'end'])(list.slice(1)) }
    export const result = JSON.stringify(merged)`
  const run = async (source: string): Promise<unknown> =>
    import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)
  expect(strip(code)).toContain('@__PURE__')
  expect(await run(strip(code))).toEqual(await run(code))
})

test('what a function does is no part of the marks: its effects stay', () => {
  const marked =
    strip(`export function f(list) { const out = []; for (const x of list) out.push(x); return [...out] }
    const twice = (list) => { list.push(1); list.push(2) }`)
  expect(marked).not.toContain('@__PURE__')
})

test('a schema that nothing uses goes with its arguments, whatever they read', async () => {
  const code = `
    import { z } from 'zod'
    const longest = 10, list = [1, 2]
    export const Text = z.string().max(longest, \`at most \${longest}\`).length(list.length + 1)
    export const kept = [longest, ...list]`
  const bundle = await rolldown({
    input: 'entry',
    external: ['zod'],
    plugins: [
      {
        name: 'given',
        resolveId: (id) => (id === 'zod' ? null : id),
        load: (id) =>
          id === 'given' ? strip(code) : `import { kept } from 'given'; console.log(kept)`,
      },
    ],
  })
  const { output } = await bundle.generate({ minify: false })
  expect(output[0].code).toContain('console.log(kept)')
  expect(output[0].code).not.toContain('z.string')
})
