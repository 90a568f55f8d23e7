import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { atEnd } from '../testing/ends.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** What docs/quickstart.md shows is what a newcomer does: it is run as it stands there. */
let bench: Workbench
let folder: string
let guide: string

/** The first block of this language in a section. */
function block(section: string, language: string): string {
  const text = guide.split(/^## /m).find((one) => one.startsWith(section)) ?? ''
  const found = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(text)?.[1]
  if (found === undefined) throw new Error(`${section} has no block of ${language}`)
  return found
}

beforeAll(async () => {
  guide = await readFile(join(root, 'docs/quickstart.md'), 'utf8')
  bench = await openWorkbench({ name: 'Books' })
  // In the checkout, where the libraries are that a newcomer installs.
  await mkdir(join(root, 'test-output'), { recursive: true })
  folder = await mkdtemp(join(root, 'test-output/quickstart-'))
  atEnd(() => rm(folder, { recursive: true }))
  await bench.sql(block('2.', 'sql'))
})

test('the quickstart and the example have the same tables and code', async () => {
  const example = (file: string) => readFile(join(root, 'examples/books', file), 'utf8')
  expect(await example('schema.sql')).toBe(block('2.', 'sql'))
  expect(await example('books.mjs')).toBe(block('3.', 'js'))
})

test('the script of the quickstart adds a book and lists all', async () => {
  const { endpoint, anonKey } = bench.project
  await writeFile(join(folder, 'books.mjs'), block('3.', 'js'))
  const env = { PATH: process.env['PATH'], PROJECT_URL: endpoint, PUBLISHABLE_KEY: anonKey }
  const { stdout } = await promisify(execFile)(process.execPath, ['books.mjs'], {
    cwd: folder,
    env,
  })
  expect(stdout).toBe('1969 The Left Hand of Darkness\n1979 Kindred\n1993 Parable of the Sower\n')
})

test('the page of the quickstart shows the books and adds one', async () => {
  const { endpoint, anonKey } = bench.project
  const code = block('4.', 'jsx')
    .replace('<project url>', endpoint)
    .replace('<publishable key>', anonKey)
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/main.jsx'), code)
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>Library</title><div id="root"></div><script type="module" src="/src/main.jsx"></script>',
  )
  const { build, preview } = await import('vite')
  const options = { root: folder, configFile: false, logLevel: 'error' } as const
  await build(options)
  const server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  atEnd(() => server.close())
  const { page } = bench
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  await page.getByRole('listitem').filter({ hasText: 'Kindred' }).waitFor()
  await page.getByLabel('Title').fill('Babel-17')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Babel-17' }).waitFor()
})
