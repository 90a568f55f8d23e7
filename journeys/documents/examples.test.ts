import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { atEnd } from '../testing/ends.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** The examples are what people begin with: each is built and used as its README says. */
let bench: Workbench
const example = (file: string) => readFile(join(root, 'examples', file), 'utf8')
const password = 'correct horse battery'

beforeAll(async () => {
  bench = await openWorkbench({ name: 'Todo', newTables: 'private' })
  await bench.sql(await example('todo/schema.sql'))
})

/** A new person of the app, with a client of their own. */
async function signedUp(email: string) {
  const { endpoint, anonKey } = bench.project
  const client = createClient(endpoint, anonKey, { realtime: { transport: WebSocket as never } })
  const { error } = await client.auth.signUp({ email, password })
  expect(error).toBeNull()
  return client
}

test('todo: people keep lists of their own, and see what other devices change', async () => {
  const { endpoint, anonKey } = bench.project
  await mkdir(join(root, 'test-output'), { recursive: true })
  const outDir = await mkdtemp(join(root, 'test-output/todo-'))
  atEnd(() => rm(outDir, { recursive: true }))
  const { build, preview } = await import('vite')
  const folder = join(root, 'examples/todo')
  const options = {
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    define: {
      'import.meta.env.VITE_PROJECT_URL': JSON.stringify(endpoint),
      'import.meta.env.VITE_PUBLISHABLE_KEY': JSON.stringify(anonKey),
    },
  } as const
  await build(options)
  const server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  atEnd(() => server.close())
  const url = server.resolvedUrls?.local[0] ?? ''

  const { page } = bench
  await page.goto(url)
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'Invalid login credentials' }).waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('grace@example.com').waitFor()
  await page.getByLabel('Title').fill('Write a compiler')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('checkbox', { name: 'Write a compiler' }).waitFor()

  // Another tab of the same person is told of it without asking.
  const { page: other } = await bench.newPage()
  await other.goto(url)
  await other.getByRole('checkbox', { name: 'Write a compiler' }).waitFor()
  await page.getByRole('checkbox', { name: 'Write a compiler' }).click()
  await expect
    .poll(() => other.getByRole('checkbox', { name: 'Write a compiler' }).isChecked())
    .toBe(true)

  const eve = await signedUp('eve-todo@example.com')
  expect((await eve.from('todos').select()).data).toEqual([])
  const { error } = await eve.from('todos').insert({ title: '' })
  expect(error?.code).toBe('23514')
})

test('server: it renders what the policies let each person see, with the session in cookies', async () => {
  const { endpoint, anonKey } = bench.project
  const child = spawn(process.execPath, [join(root, 'examples/server/server.mjs')], {
    env: { ...process.env, PROJECT_URL: endpoint, PUBLISHABLE_KEY: anonKey, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  atEnd(async () => {
    child.kill()
    await ended
  })
  const [url = ''] = await new Promise<string[]>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (line: string) => resolve([line])),
  )
  await signedUp('barbara@example.com')
  const { page } = await bench.newPage()
  await page.goto(url)
  await page.getByLabel('Email').fill('barbara@example.com')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'Invalid login credentials' }).waitFor()
  await page.getByLabel('Email').fill('barbara@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('barbara@example.com').waitFor()
  await page.getByLabel('Title').fill('<b>Abstract</b>')
  await page.getByRole('button', { name: 'Add' }).click()
  // As text: what people write is no part of the page.
  await page.getByRole('listitem').filter({ hasText: '<b>Abstract</b>' }).waitFor()
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const foreign = await fetch(`${url}/add`, {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example' },
  })
  expect(foreign.status).toBe(403)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('function: it counts the todos of the person who calls it', async () => {
  const made = await bench.ada.call('POST', `/v1/projects/${bench.ref}/functions`, {
    slug: 'summary',
    name: 'summary',
    body: await example('function/index.ts'),
  })
  expect(made.status).toBe(201)
  const ken = await signedUp('ken@example.com')
  await ken.from('todos').insert([
    { title: 'a', done: false },
    { title: 'b', done: true },
    { title: 'c', done: false },
  ])
  const { data, error } = await ken.functions.invoke('summary')
  expect({ data, error }).toMatchObject({ data: { open: 2, done: 1 }, error: null })
})
