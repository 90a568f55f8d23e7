import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf, startStorage, type StoragePlane } from '../testing/storage/storage.ts'

let plane: StoragePlane
beforeAll(async () => {
  plane = await startStorage()
})
afterAll(() => plane.close())

const put = (key: string, body: string, headers: Record<string, string> = {}) =>
  plane.ask(`/object/own/${key}`, { method: 'POST', body, headers, duplex: 'half' } as never)

test.each([
  ['a protected route without a token', '/bucket', '', [400, '400', 'InvalidRequest']],
  ['a token that is none', '/bucket', 'nonsense', [400, '403', 'InvalidJWT']],
  [
    'a token of somebody else',
    '/bucket',
    'eyJhbGciOiJIUzI1NiJ9.e30.AAAA',
    [400, '403', 'InvalidJWT'],
  ],
  ['an object without a token', '/object/own/x', '', [400, '400', 'InvalidRequest']],
  ['a bucket that is not there', '/object/list/none', undefined, [200]],
  ['a public object of a private bucket', '/object/public/own/x', '', [400, '404', 'NoSuchBucket']],
  [
    'a signed address without its token',
    '/object/sign/own/x',
    '',
    [400, '400', 'InvalidSignature'],
  ],
  [
    'a signed address with nonsense',
    '/object/sign/own/x?token=a.b.c',
    '',
    [400, '400', 'InvalidJWT'],
  ],
  ['a NUL in a key', '/object/own/a%00b', undefined, [400, '400', 'InvalidKey']],
  [
    'a sort that is none',
    '/bucket?sortColumn=owner;drop',
    undefined,
    [400, '400', 'InvalidRequest'],
  ],
])('%s', async (_, path, as, expected) => {
  const response = await plane.ask(path, {
    method: path.startsWith('/object/list') ? 'POST' : 'GET',
    ...(as !== undefined && { as }),
  })
  if (expected[0] === 200) expect(await response.json()).toEqual([])
  else expect(await problemOf(response)).toEqual(expected)
})

test('without a token, the message names what is missing', async () => {
  const response = await plane.ask('/bucket', { as: '' })
  expect(await response.json()).toMatchObject({
    error: 'Error',
    message: "headers must have required property 'authorization'",
  })
})

test.each([
  'a%2F..%2Fb',
  '%2e%2e%2fpasswd',
  'a//b',
  'a/',
  '%2Fa',
  'a%5Cb',
  "a%22b'; drop table storage.objects; --",
  'n%C3%A4me',
  'na%CC%88me',
  '%F0%9F%98%80',
  'x'.repeat(1025),
])('the key %s is refused', async (key) => {
  expect(await problemOf(await put(key, 'x'))).toEqual([400, '400', 'InvalidKey'])
})

test('a key of 1,024 bytes and all signs of the contract goes round', async () => {
  for (const key of ['k'.repeat(1024), "signs/!-_.*'() &$@=;:+,"]) {
    const path = key.split('/').map(encodeURIComponent).join('/')
    expect((await put(path, key)).status).toBe(200)
    expect(await (await plane.ask(`/object/own/${path}`)).text()).toBe(key)
  }
})

test.each([
  ['POST', '/bucket', '{"name":"a/b"}', 'InvalidBucketName'],
  ['POST', '/bucket', '{"name":""}', 'InvalidBucketName'],
  ['POST', '/bucket', `{"name":"${'b'.repeat(101)}"}`, 'InvalidBucketName'],
  ['POST', '/bucket', '{"name":"x","file_size_limit":"-1"}', 'InvalidParameter'],
  ['POST', '/bucket', '{"name":1}', 'InvalidRequest'],
  ['POST', '/bucket', '[]', 'InvalidRequest'],
  ['POST', '/bucket', '{', 'InvalidRequest'],
  ['PUT', '/bucket/own', '{}', 'InvalidRequest'],
  ['PUT', '/bucket/none', '{"public":true}', 'NoSuchBucket'],
  ['DELETE', '/bucket/none', '', 'NoSuchBucket'],
  ['DELETE', '/object/own', '{"prefixes":[]}', 'InvalidRequest'],
  [
    'DELETE',
    '/object/own',
    `{"prefixes":${JSON.stringify(Array(1001).fill('x'))}}`,
    'InvalidRequest',
  ],
  ['DELETE', '/object/own/never', '', 'NoSuchKey'],
  ['POST', '/object/list/own', '{"limit":-1}', 'InvalidRequest'],
  ['POST', '/object/list/own', '{"prefix":"a\\u0000"}', 'InvalidRequest'],
  ['POST', '/object/list-v2/own', '{"cursor":"nonsense"}', 'InvalidRequest'],
  ['POST', '/object/list-v2/own', '{"limit":1001}', 'InvalidRequest'],
  [
    'POST',
    '/object/copy',
    '{"bucketId":"own","sourceKey":"never","destinationKey":"x"}',
    'NoSuchKey',
  ],
  ['POST', '/object/sign/own/never', '{"expiresIn":60}', 'NoSuchKey'],
  ['POST', '/object/sign/own/never', '{"expiresIn":0}', 'InvalidRequest'],
  ['POST', '/object/none/x', 'body', 'NoSuchBucket'],
])('%s %s %s is refused: %s', async (method, path, body, code) => {
  const response = await plane.ask(path, { method, ...(body && { body }) })
  expect((await problemOf(response))[2]).toBe(code)
})

test.each(['/cdn', '/cdn/own', '/cdn/own/a.png', '/cdn?transformations=true'])(
  'DELETE %s purges a cache that there is not: nothing old is left',
  async (path) => {
    const purge = (key: string) =>
      plane.ask(path, {
        method: 'DELETE',
        headers: { apikey: key, authorization: `Bearer ${key}` },
      })
    expect((await problemOf(await purge(plane.project.anonKey)))[2]).toBe('AccessDenied')
    const answer = await purge(plane.project.serviceKey)
    expect([answer.status, await answer.json()]).toEqual([200, { message: 'success' }])
  },
)

test.each([
  ['GET', '/cdn/own/a'],
  ['GET', '/cdn'],
  ['PATCH', '/object/own/a'],
])('%s %s is no address of the service', async (method, path) => {
  const response = await plane.ask(path, { method })
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    404,
    'not_found',
  ])
})

test('a prefix is taken literally', async () => {
  for (const key of ['lit/a_b', 'lit/axb', "lit/a'b"]) await put(key, 'x')
  const { data } = await plane.service.from('own').listV2({ prefix: 'lit/a_' })
  expect(data?.objects.map(({ name }) => name)).toEqual(['lit/a_b'])
  const other = await plane.service.from('own').listV2({ prefix: "lit/a'" })
  expect(other.data?.objects.map(({ name }) => name)).toEqual(["lit/a'b"])
})

/** Sends bytes as they are and answers with what comes back until the connection ends; `waits` for more to send. */
function raw(text: string, { waits = false } = {}): Promise<string> {
  const { port } = new URL(plane.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let output = ''
    socket.on('data', (data) => (output += String(data)))
    socket.on('error', reject)
    socket.on('close', () => resolve(output))
    if (waits) socket.write(text)
    else socket.end(text)
  })
}
const head = (key: string, more: string) =>
  `POST ${new URL(plane.url).pathname}/storage/v1/object/own/${key} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
  `Authorization: Bearer ${plane.project.serviceKey}\r\n${more}\r\n\r\n`

test('half an upload leaves nothing, whatever was promised', async () => {
  await raw(`${head('half', 'Content-Length: 100')}only this`)
  await raw(`${head('half', 'Transfer-Encoding: chunked')}5\r\nhello\r\n5\r\nwo`)
  const form = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900'
  await raw(
    `${head('half', form)}--b\r\nContent-Disposition: form-data; name=""; filename="f"\r\n\r\nabc`,
  )
  expect(await problemOf(await plane.ask('/object/own/half'))).toEqual([400, '404', 'NoSuchKey'])
  const both = await raw(
    `${head('half', 'Content-Length: 3\r\nTransfer-Encoding: chunked')}0\r\n\r\n`,
  )
  expect(both).toMatch(/^HTTP\/1\.1 400/)
})

test('a body that goes on behind its length is no part of the object', async () => {
  await put('lying', 'before')
  await raw(`${head('lying', 'x-upsert: true\r\nContent-Length: 4')}realAND MORE`)
  // The connection may be given up at once because of what follows.
  expect(['before', 'real']).toContain(await (await plane.ask('/object/own/lying')).text())
})

test('what is promised to be too large is refused before it comes', async () => {
  const output = await raw(head('large', 'Content-Length: 90000000000'), { waits: true })
  expect(output).toContain('EntityTooLarge')
})

test('many write one key at once: one stays, whole, and with its own bytes', async () => {
  const texts = Array.from({ length: 12 }, (_, n) => `${n}`.repeat(50_000))
  const answers = await Promise.all(
    texts.map((text, n) => put('race', text, { 'x-upsert': String(n % 2 === 0) })),
  )
  expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
  const kept = await (await plane.ask('/object/own/race')).text()
  expect(texts).toContain(kept)
  const { data } = await plane.service.from('own').info('race')
  expect(data?.size).toBe(kept.length)
  const firsts = await Promise.all(texts.map((text) => put('first', text)))
  expect(firsts.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('rows cannot be deleted by hand, and one without bytes is no object', async () => {
  await expect(plane.sql("delete from storage.objects where name = 'race'")).rejects.toThrow(
    'Direct deletion from storage tables is not allowed',
  )
  await plane.sql(`insert into storage.objects (bucket_id, name, metadata, version)
    values ('own', 'seed.txt', '{"size": 5, "mimetype": "text/plain"}', null), ('own', 'odd.txt', '{}', '../../etc/passwd')`)
  expect((await plane.service.from('own').info('seed.txt')).data).toMatchObject({ size: 5 })
  for (const key of ['seed.txt', 'odd.txt'])
    expect(await problemOf(await plane.ask(`/object/own/${key}`))).toEqual([
      400,
      '404',
      'NoSuchKey',
    ])
})

test('a body that was refused half way does not keep the next request of its connection waiting', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(3_000_000) })
  for (const _ of [1, 2, 3]) {
    const answer = await plane.ask('/bucket', { method: 'POST', body })
    expect(await problemOf(answer)).toEqual([400, '413', 'EntityTooLarge'])
  }
})

test('the service says that it is there', async () => {
  const output = async (path: string) => (await plane.ask(path, { as: '' })).text()
  expect(await output('/status')).toBe('{"status":"ok"}')
  expect(await output('/health')).toBe('{"healthy":true}')
  expect(await output('/version')).toMatch(/^\d+\.\d+\.\d+$/)
})

test('what is compressed stays as it came: nothing here unpacks it', async () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000))
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/octet-stream' }
  const sent = await plane.ask('/object/own/bomb', {
    method: 'POST',
    body: new Uint8Array(bomb),
    headers,
  })
  expect(sent.status).toBe(200)
  const [row] = await plane.sql("select metadata from storage.objects where name = 'bomb'")
  expect(row).toMatchObject({ metadata: { size: bomb.length } })
  const got = await plane.ask('/object/own/bomb')
  expect(got.headers.get('content-length')).toBe(String(bomb.length))
  await got.body?.cancel()
})
