import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

/**
 * The real package by which people route requests in functions. `npm:hono` takes a network, so it comes as a file of the
 * function here, as somebody deploys it who packs before.
 */
let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane()
  plane.deploy('library', {
    'hono.js': await packed('hono'),
    'cors.js': await packed('hono/cors'),
    'index.ts': library,
  })
})
afterAll(() => plane.close())

async function packed(name: string): Promise<string> {
  const made = await rolldown({ input: name, cwd: root })
  const { output } = await made.generate({ format: 'esm', codeSplitting: false })
  await made.close()
  return output[0].code
}

const library = `import { Hono } from './hono.js'
import { cors } from './cors.js'

const books = new Hono()
  .get('/', (c) => c.json({ all: true, tag: c.req.query('tag') }))
  .get('/:id{[0-9]+}', (c) => c.json({ id: c.req.param('id'), url: c.req.url, path: c.req.path }))
  .post('/', async (c) => c.json(await c.req.json(), 201))
  .delete('/:id/notes/:note', (c) => c.body(null, 204, { 'x-note': c.req.param('note') }))
const app = new Hono().basePath('/library')
app.use('*', cors())
app.use('/books/*', async (c, next) => {
  await next()
  c.header('x-behind', 'books')
})
app.route('/books', books)
app.get('/files/*', (c) => c.text(c.req.path))
app.get('/old/:id', (c) => c.redirect(new URL('books/' + c.req.param('id'), 'https://example.com/')))
app.get('/here', (c) => c.redirect(new URL('books/1', c.req.url), 307))
app.get('/broken', () => { throw new Error('broken') })
app.onError((error, c) => c.text('caught: ' + error.message, 500))
app.notFound((c) => c.text('no route to ' + c.req.path, 404))
Deno.serve(app.fetch)`

const ask = (path: string, init: RequestInit = {}) =>
  plane.call(`library${path}`, { redirect: 'manual', ...init })
const json = async (path: string, init?: RequestInit): Promise<unknown> =>
  (await ask(path, init)).json()

test('Hono: nested routes, parameters and queries', async () => {
  const { origin } = new URL(plane.base)
  const inside = await ask('/books/42?x=a%20b')
  expect(inside.headers.get('x-behind')).toBe('books')
  expect(await inside.json()).toEqual({
    id: '42',
    url: `${origin}/library/books/42?x=a%20b`,
    path: '/library/books/42',
  })
  expect(await json('/books?tag=new')).toEqual({ all: true, tag: 'new' })
  const removed = await ask('/books/1/notes/a%20b', { method: 'DELETE' })
  expect([removed.status, removed.headers.get('x-note')]).toEqual([204, 'a b'])
  expect(await (await ask('/files/a/b/c.txt')).text()).toBe('/library/files/a/b/c.txt')
})

test('Hono: bodies, preflights, errors and what there is not', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'Dune' })
  const made = await ask('/books', { method: 'POST', headers, body })
  expect([made.status, await made.json()]).toEqual([201, { title: 'Dune' }])
  const asked = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' }
  const preflight = await ask('/books', { method: 'OPTIONS', headers: asked })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  const broken = await ask('/broken')
  expect([broken.status, await broken.text()]).toEqual([500, 'caught: broken'])
  const none = await ask('/books/dune')
  expect([none.status, await none.text()]).toEqual([404, 'no route to /library/books/dune'])
})

test('Hono: redirects, elsewhere and to where it was asked', async () => {
  const elsewhere = await ask('/old/7')
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([
    302,
    'https://example.com/books/7',
  ])
  const here = await ask('/here')
  expect([here.status, here.headers.get('location')]).toEqual([
    307,
    `${new URL(plane.base).origin}/library/books/1`,
  ])
})
