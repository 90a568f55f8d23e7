import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
  await project.rows('create extension if not exists http with schema extensions')
})
afterAll(() => project.close())

const one = async (expression: string) =>
  (await project.rows(`select ${expression} as value`))[0]?.['value']

describe('a request within a statement is refused, and the error says what to call', () => {
  test.each([
    [`http_get('https://example.com')`, 'http_get', 'net.http_get('],
    [`http_get('https://example.com', '{"a": 1}'::jsonb)`, 'http_get', 'net.http_get('],
    [`http_post('https://example.com', 'a=1', 'text/plain')`, 'http_post', 'net.http_post('],
    [`http_post('https://example.com', '{"a": 1}'::jsonb)`, 'http_post', 'net.http_post('],
    [`http_put('https://example.com', '', 'text/plain')`, 'http_put', 'edge function'],
    [`http_patch('https://example.com', '', 'text/plain')`, 'http_patch', 'edge function'],
    [`http_delete('https://example.com')`, 'http_delete', 'net.http_delete('],
    [`http_delete('https://example.com', '', 'text/plain')`, 'http_delete', 'net.http_delete('],
    [`http_head('https://example.com')`, 'http_head', 'edge function'],
    [
      `http(('post', 'https://example.com', array[http_header('A', 'b')], 'text/plain', '')::http_request)`,
      'http',
      'net.http_post(',
    ],
    [`status from http_get('https://example.com')`, 'http_get', 'net.http_get('],
  ])('%s', async (call, name, instead) => {
    const sql = `select ${call}`
    await expect(project.rows(sql)).rejects.toMatchObject({
      code: '0A000',
      message: `${name} cannot send a request from within a statement`,
      hint: expect.stringContaining(instead),
    })
    const anon = await project.as(project.logins.service('authenticator_anon'))
    await expect(anon.query(sql)).rejects.toMatchObject({ code: '0A000' })
  })
})

test('texts, bytes and objects are encoded for an address', async () => {
  expect(await one(`urlencode('my special string''s & things?')`)).toBe(
    'my%20special%20string%27s%20%26%20things%3F',
  )
  expect(await one(`urlencode('Ünïcode ~-._/')`)).toBe('%C3%9Cn%C3%AFcode%20~-._%2F')
  expect(await one(`urlencode('\\x00ff41'::bytea)`)).toBe('%00%FFA')
  expect(await one(`urlencode('')`)).toBe('')
  expect(
    await one(`urlencode('{"name": "Colin & James", "rate": "50%", "none": null}'::jsonb)`),
  ).toBe('name=Colin%20%26%20James&none=&rate=50%25')
  expect(await one(`bytea_to_text(text_to_bytea('Ü'))`)).toBe('Ü')
})

test('headers and requests are values as before, and a content type has to be one', async () => {
  expect(await one(`(http_header('Accept', 'text/html')).value`)).toBe('text/html')
  await expect(one(`'nonsense'::content_type`)).rejects.toMatchObject({ code: '23514' })
  expect(await one(`'text/html'::content_type`)).toBe('text/html')
})

test('options are those of the session, and an unknown one is refused', async () => {
  await expect(one(`http_set_curlopt('CURLOPT_MOON', '1')`)).rejects.toMatchObject({
    code: '22023',
  })
  await expect(one(`http_set_curlopt(null, '1')`)).rejects.toMatchObject({ code: '22023' })
  expect(await one(`http_set_curlopt('curlopt_timeout_ms', '5000')`)).toBe(true)
  expect(await project.rows('select * from http_list_curlopt()')).toEqual([
    { curlopt: 'CURLOPT_TIMEOUT_MS', value: '5000' },
  ])
  expect(await one('http_reset_curlopt()')).toBe(true)
  expect(await project.rows('select * from http_list_curlopt()')).toEqual([])
})

test('what stands in the way of its functions is not used by them', async () => {
  await project.rows(`create schema mine;
    create function mine.convert_to(text, name) returns bytea language sql as $$ select 'forged'::bytea $$;
    create function mine.upper(text) returns text language sql as $$ select 'forged' $$`)
  const [row] = await project.rows(
    `select extensions.urlencode('a b') as value from set_config('search_path', 'mine, pg_catalog', false)`,
  )
  await project.rows('reset search_path')
  expect(row).toEqual({ value: 'a%20b' })
})

test('it is dropped and created again, in another schema', async () => {
  await project.rows('drop extension http; create schema web; create extension http schema web')
  expect(await one(`web.urlencode('a b')`)).toBe('a%20b')
  await expect(one(`web.http_get('https://example.com')`)).rejects.toMatchObject({ code: '0A000' })
})
