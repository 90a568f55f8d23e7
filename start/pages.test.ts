import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPages } from './pages.ts'

let folder: string
let pageAt: (path: string) => string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-pages-'))
  const parts = {
    '/project/:ref/editor/:id': ['assets/grid.js', 'assets/grid.css'],
    '/project/:ref/editor/new': ['assets/new.js'],
    '/pricing': [],
  }
  writeFileSync(
    join(folder, 'index.html'),
    '<html lang="en"><head><title>Plinth</title></head><body></body>',
  )
  writeFileSync(join(folder, 'route-parts.json'), JSON.stringify(parts))
  pageAt = createPages(folder, { title: 'Books & <Maps>', mode: 'self-hosted' })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a page names the parts of its address, scripts and styles', () => {
  const page = pageAt('/project/abc/editor/1')
  expect(page).toContain('<link rel="modulepreload" crossorigin href="/assets/grid.js">')
  expect(page).toContain('<link rel="stylesheet" crossorigin href="/assets/grid.css"></head>')
})

test('an address with a word of its own is meant before one that takes any word', () => {
  expect(pageAt('/project/abc/editor/new/')).toContain('/assets/new.js')
  expect(pageAt('/project/abc/editor/new')).not.toContain('/assets/grid.js')
})

test('an address that nobody knows, or that only looks like one, has the bare page', () => {
  for (const path of [
    '/',
    '/nothing',
    '/project/abc/editor/1/more',
    '/project//editor/1',
    '/pricing',
  ])
    expect(pageAt(path)).toBe(
      '<html data-mode="self-hosted" lang="en"><head><title>Books &amp; &lt;Maps&gt;</title></head><body></body>',
    )
})
