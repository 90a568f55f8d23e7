import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { compressedBytes, firstLoad, firstLoadBudget, type BuiltFile } from './bundle.ts'

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
}, 120_000)

test('the first load stays within its budget', () => {
  const names = firstLoad(html, scripts)
  expect(names.length).toBeGreaterThan(1)
  expect(compressedBytes(names, scripts)).toBeLessThanOrEqual(firstLoadBudget)
})

test('neither the code editor nor the grid is part of the first load', () => {
  const names = firstLoad(html, scripts)
  expect(names.filter((name) => /monaco|editor\.|glide|data-grid/i.test(name))).toEqual([])
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
