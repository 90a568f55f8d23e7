import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import {
  compressedBytes,
  firstLoad,
  firstLoadBudget,
  loadedLater,
  tableEditorBudget,
  withImports,
  type BuiltFile,
} from './bundle.ts'

const folder = join(root, 'dist/dashboard')
let html: string
let scripts: BuiltFile[]

beforeAll(async () => {
  // A plain script of the build; it has no types.
  const { buildIfStale } = (await import(join(root, 'start/build.mjs'))) as {
    buildIfStale(): Promise<void>
  }
  await buildIfStale()
  html = readFileSync(join(folder, 'index.html'), 'utf8')
  scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}, 240_000)

test('the first load stays within its budget', () => {
  const names = firstLoad(html, scripts)
  expect(names.length).toBeGreaterThan(1)
  expect(compressedBytes(names, scripts)).toBeLessThanOrEqual(firstLoadBudget)
})

test('neither the code editor nor the grid is part of the first load', () => {
  const names = firstLoad(html, scripts)
  expect(names.filter((name) => /monaco|editor\.|glide|data-grid/i.test(name))).toEqual([])
})

test("the schemas of the contract are the server's: the library behind them is in no first load", () => {
  const names = firstLoad(html, scripts)
  const withSchemas = scripts.filter(
    ({ name, text }) => names.includes(name) && text.includes('_zod'),
  )
  expect(withSchemas.map(({ name }) => name)).toEqual([])
})

test('what a page names ahead is there', () => {
  // Written by our own build.
  const parts = JSON.parse(readFileSync(join(folder, 'route-parts.json'), 'utf8')) as Record<
    string,
    string[]
  >
  const named = new Set(Object.values(parts).flat())
  expect(parts['/org/:slug/team']?.length).toBeGreaterThan(2)
  expect([...named].filter((file) => !existsSync(join(folder, file)))).toEqual([])
})

/** What a page needs beside the first load, by its address. */
const partsOf = () =>
  JSON.parse(readFileSync(join(folder, 'route-parts.json'), 'utf8')) as Record<string, string[]>

test('the table editor stays within its budget, its grid included', () => {
  const parts = partsOf()['/project/:ref/editor/:id'] ?? []
  const first = firstLoad(html, scripts)
  const grid = loadedLater([...parts, ...first], scripts).filter((name) => name.includes('GridBox'))
  expect(new Set(grid).size).toBe(1)
  const names = withImports([...parts, ...grid], scripts).filter((name) => !first.includes(name))
  expect(compressedBytes(names, scripts)).toBeGreaterThan(50_000)
  expect(compressedBytes(names, scripts)).toBeLessThanOrEqual(tableEditorBudget)
})

test('no page waits for the code editor, and the grid does not bring it along', () => {
  const heavy = scripts
    .map(({ name }) => name)
    .filter((name) => /\/(?:monaco|typescript-program|_virtual_deno)[^/]*\.js$/.test(name))
  expect(heavy.length).toBeGreaterThan(0)
  const grid = scripts.map(({ name }) => name).filter((name) => name.includes('GridBox'))
  const waiting = Object.entries(partsOf()).filter(([, parts]) =>
    withImports([...parts, ...grid], scripts).some((name) => heavy.includes(name)),
  )
  expect(waiting.map(([address]) => address)).toEqual([])
})

test('a load over the budget is found, whatever imports it', () => {
  const noise = Array.from({ length: 60_000 }, (_, i) => Math.sin(i).toString(36)).join('')
  const page = '<script type="module" src="/assets/main.js"></script>'
  const files = [
    { name: 'assets/main.js', text: 'import{a}from"./heavy.js";' },
    { name: 'assets/heavy.js', text: `export const a="${noise}"` },
    { name: 'assets/lazy.js', text: noise },
  ]
  expect(firstLoad(page, files)).toEqual(['assets/main.js', 'assets/heavy.js'])
  expect(compressedBytes(firstLoad(page, files), files)).toBeGreaterThan(firstLoadBudget)
})
