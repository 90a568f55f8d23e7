import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
  await project.rows('create extension if not exists pgjwt with schema extensions')
})
afterAll(() => project.close())

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** As any other program signs. */
function token(payload: object, secret: string, algorithm = 'HS256'): string {
  const text = `${part({ alg: algorithm, typ: 'JWT' })}.${part(payload)}`
  const hash = algorithm.replace('HS', 'sha')
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

test.each(['HS256', 'HS384', 'HS512'])('signs with %s as everybody does', async (algorithm) => {
  // So long that base64 would be broken into lines.
  const payload = { sub: 'ü'.repeat(90), n: 1 }
  const [row] = await project.rows('select extensions.sign($1, $2, $3) as token', [
    JSON.stringify(payload),
    'a secret',
    algorithm,
  ])
  expect(row?.['token']).toBe(token(payload, 'a secret', algorithm))
})

test.each([
  ['of now', {}, 'a secret', true],
  ['whose time has come and is not over', { nbf: 1, exp: 4_000_000_000 }, 'a secret', true],
  ['that is over', { exp: 1 }, 'a secret', false],
  ['whose time has not come', { nbf: 4_000_000_000 }, 'a secret', false],
  ['of another secret', {}, 'another', false],
  ['with a time that is none', { exp: 'soon' }, 'a secret', true],
])('a token %s', async (_, payload, secret, valid) => {
  const [row] = await project.rows('select * from extensions.verify($1, $2)', [
    token({ ...payload, sub: 'ada' }, secret),
    'a secret',
  ])
  expect(row).toEqual({
    header: { alg: 'HS256', typ: 'JWT' },
    payload: { ...payload, sub: 'ada' },
    valid,
  })
})

test('an algorithm that is none is refused, and so is a text that is no token', async () => {
  await expect(project.rows(`select extensions.sign('{}', 's', 'none')`)).rejects.toThrow(
    /Cannot use/,
  )
  await expect(project.rows(`select * from extensions.verify('a.b', 's')`)).rejects.toThrow()
})

test('what stands in the way of its functions is not used by them', async () => {
  await project.rows(`create schema mine;
    create function mine.hmac(text, text, text) returns bytea language sql as $$ select 'forged'::bytea $$;
    create function mine.encode(bytea, text) returns text language sql as $$ select 'forged' $$`)
  const [row] = await project.rows(
    `select extensions.sign('{}', 's') as token from set_config('search_path', 'mine, pg_catalog', false)`,
  )
  await project.rows('reset search_path')
  expect(row?.['token']).toBe(token({}, 's'))
})
