import { afterAll, beforeAll, expect, test } from 'vitest'
import { ref, startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

test('the server tells its version, parameters and time', async () => {
  expect(await meta.call('GET', 'config/version')).toMatchObject({
    status: 200,
    body: {
      version: expect.stringContaining('PostgreSQL 17'),
      max_connections: expect.any(Number),
    },
  })
  const { body } = await meta.call('GET', 'config?limit=1000')
  expect(body).toContainEqual(
    expect.objectContaining({ name: 'work_mem', unit: 'kB', context: 'user' }),
  )
  expect(await meta.call('GET', 'health')).toMatchObject({ body: { date: expect.any(String) } })
})

test('SQL texts are formatted and parsed, and refused when they are none', async () => {
  const post = (path: string, query: string) =>
    meta.app.inject({
      method: 'POST',
      url: `/${ref}/query/${path}`,
      headers: { 'x-plinth-login': 'plinth_read_only' },
      body: { query },
    })
  expect((await post('format', 'select  1,2 from a')).body).toBe('select\n  1,\n  2\nfrom\n  a')
  expect((await post('parse', 'select 1')).json()).toMatchObject({
    stmts: [{ stmt: { SelectStmt: {} } }],
  })
  const ast = (await post('parse', 'SELECT  1 AS a')).json() as object
  const written = await meta.app.inject({
    method: 'POST',
    url: `/${ref}/query/deparse`,
    headers: { 'x-plinth-login': 'plinth_read_only' },
    body: { ast },
  })
  expect(written.body).toBe('SELECT 1 AS a')
  const wrong = await post('parse', 'selec 1')
  expect(wrong.statusCode).toBe(400)
  expect(wrong.json()).toMatchObject({
    code: '42601',
    error: 'syntax error at or near "selec"',
    position: 1,
  })
  for (const path of ['format', 'parse']) expect((await post(path, ' ')).statusCode).toBe(400)
})
