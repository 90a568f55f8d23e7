import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStorage, type StoragePlane } from '../../testing/storage/storage.ts'

let plane: StoragePlane
let etag: string
let modified: string
beforeAll(async () => {
  plane = await startStorage()
  const options = { contentType: 'text/plain', cacheControl: '60' }
  await plane.service.from('open').upload('d/ten', '0123456789', options)
  await plane.service.from('open').upload('d/none', '', options)
  const { headers } = await heads('d/ten')
  etag = headers.get('etag') ?? ''
  modified = headers.get('last-modified') ?? ''
})
afterAll(() => plane.close())

const get = (key: string, headers: Record<string, string> = {}, method = 'GET') =>
  plane.ask(`/object/public/open/${key}`, { as: '', headers, method })
/** The answer without its body, which is read all the same, so that the connection is free again. */
async function heads(...request: Parameters<typeof get>) {
  const response = await get(...request)
  await response.arrayBuffer()
  return response
}

test('what comes with the bytes', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await heads('d/ten', {}, method)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-type': 'text/plain',
      'cache-control': 'max-age=60',
      'x-robots-tag': 'none',
      'content-security-policy': 'sandbox',
    })
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(Math.abs(Date.parse(headers.get('last-modified') ?? '') - Date.now())).toBeLessThan(
      60_000,
    )
  }
  expect(await (await get('d/none')).text()).toBe('')
})

test('what is known of an object has its tag as the bytes have it', async () => {
  for (const path of ['info/public/open', 'info/open', 'info/authenticated/open']) {
    const answer = await plane.ask(`/object/${path}/d/ten`)
    expect([path, answer.status, answer.headers.get('etag')]).toEqual([path, 200, etag])
    expect(await answer.json()).toMatchObject({ etag, size: 10 })
  }
})

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=8-80', 206, '89', 'bytes 8-9/10'],
  ['bytes=0-1,3-4', 200, '0123456789', null],
  ['lines=1-2', 200, '0123456789', null],
])('Range: %s is answered with %i', async (range, status, body, contentRange) => {
  const response = await get('d/ten', { range })
  expect([response.status, await response.text()]).toEqual([status, body])
  expect(response.headers.get('content-range')).toBe(contentRange)
})

test.each([['bytes=10-'], ['bytes=5-4'], ['bytes=-0']])('Range: %s lies outside', async (range) => {
  const response = await get('d/ten', { range })
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toMatchObject({ code: 'InvalidRange' })
})

test('who has the bytes already is told so', async () => {
  const status = async (headers: Record<string, string>) => (await heads('d/ten', headers)).status
  expect(await status({ 'if-none-match': etag })).toBe(304)
  expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304)
  expect(await status({ 'if-none-match': '*' })).toBe(304)
  expect(await status({ 'if-none-match': '"x"', 'if-modified-since': modified })).toBe(200)
  expect(await status({ 'if-modified-since': modified })).toBe(304)
  expect(await status({ 'if-modified-since': new Date(0).toUTCString() })).toBe(200)
  expect(await status({ range: 'bytes=1-2', 'if-range': etag })).toBe(206)
  expect(await status({ range: 'bytes=1-2', 'if-range': '"x"' })).toBe(200)
})

test.each([
  ['', 'attachment; filename="ten"; filename*=UTF-8\'\'ten'],
  ['=a%22b%0Ac.txt', 'attachment; filename="a_b_c.txt"; filename*=UTF-8\'\'a%22b%0Ac.txt'],
  ["=%E2%82%AC('x')", "attachment; filename=\"_('x')\"; filename*=UTF-8''%E2%82%AC%28%27x%27%29"],
])('?download%s', async (value, header) => {
  const response = await heads(`d/ten?download${value}`)
  expect(response.headers.get('content-disposition')).toBe(header)
})

test('pages of other origins may read what comes with the bytes', async () => {
  const { headers } = await heads('d/ten', { origin: 'http://app.example' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-expose-headers')).toContain('ETag')
})

test('a reader keeps the version that it has begun with', async () => {
  const big = 'a'.repeat(3_000_000)
  await plane.service.from('open').upload('d/big', big)
  const response = await get('d/big')
  await plane.service.from('open').upload('d/big', 'new', { upsert: true })
  expect(await response.text()).toBe(big)
  expect(await (await get('d/big')).text()).toBe('new')
})
