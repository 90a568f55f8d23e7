import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text not null);
    create table secrets (id int);
    revoke all on secrets from anon, authenticated;
    create function writes() returns int language sql volatile as
      'insert into public.books (id, title) values (99, ''w'') returning id';
    create function raises(code text, message text, detail text) returns int language plpgsql as
      'begin raise sqlstate ''PT418'' using message = message, detail = detail, hint = code; end';
    create function says(message text, detail text) returns int language plpgsql as
      'begin raise sqlstate ''PGRST'' using message = message, detail = detail; end';
    create function slow() returns void language sql as 'select pg_sleep(10)';
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const problem = (code: string) => expect.objectContaining({ code })

describe('without the right key or token', () => {
  const at = (path: string, headers: Record<string, string>) =>
    fetch(`${plane.url}/rest/v1${path}`, { headers })

  test('no key', async () => {
    const response = await at('/books', {})
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    })
  })

  test('a key that is none of ours, even one that is signed well', async () => {
    const forged = signToken({ role: 'service_role' }, 'another secret of about the same length')
    for (const apikey of ['foo', 'sb_secret_x', forged, plane.token({ role: 'authenticated' })]) {
      const response = await at('/books', { apikey })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ message: 'Invalid API key' })
    }
  })

  test.each([
    ['expired', { exp: 1 }, {}, 'PGRST303', 'JWT expired'],
    ['not yet valid', { nbf: 9e9 }, {}, 'PGRST303', 'JWT not yet valid'],
    ['issued in the future', { iat: 9e9 }, {}, 'PGRST303', 'JWT issued at future'],
    ['of an odd expiry', { exp: 'soon' }, {}, 'PGRST303', "The JWT 'exp' claim must be a number"],
    ['signed by alg none', {}, { alg: 'none' }, 'PGRST301', 'No suitable key or wrong key type'],
    ['of another alg', {}, { alg: 'HS512' }, 'PGRST301', 'No suitable key or wrong key type'],
  ])('a token that is %s', async (_, claims, header, code, message) => {
    const alg = { alg: 'HS256', typ: 'JWT', ...header }
    const token = signToken({ role: 'service_role', ...claims }, plane.project.jwtSecret, alg)
    const reply = await ask('GET /books', { headers: { authorization: `Bearer ${token}` } })
    expect(reply).toMatchObject({ status: 401, json: { code, message } })
    expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test('a token signed with another secret, a cut one, one of two parts, an empty one', async () => {
    const good = plane.token({ role: 'service_role' })
    const forged = signToken({ role: 'service_role' }, 'another secret of about the same length')
    const unsigned = `${good.split('.').slice(0, 2).join('.')}.`
    for (const token of [forged, unsigned, good.slice(0, -3), 'a.b', 'abc', '']) {
      const reply = await ask('GET /books', { headers: { authorization: `Bearer ${token}` } })
      expect(reply).toMatchObject({ status: 401, json: problem('PGRST301') })
    }
  })

  test('a good token is refused once its time has come, also from the cache', async () => {
    const token = plane.token({ role: 'authenticated', exp: Math.floor(Date.now() / 1000) - 29 })
    const options = { headers: { authorization: `Bearer ${token}` } }
    expect((await ask('GET /books', options)).status).toBe(200)
    const deadline = Date.now() + 8000
    let status = 200
    while (status === 200 && Date.now() < deadline)
      status = (await ask('GET /books', options)).status
    expect(status).toBe(401)
  })
})

describe('by the database', () => {
  test('what a role may not touch is 401 for anon and 403 for others', async () => {
    const anon = await ask('GET /secrets')
    expect(anon).toMatchObject({ status: 401, json: problem('42501') })
    expect(anon.headers.get('www-authenticate')).toBe('Bearer')
    const user = await ask('GET /secrets', { as: 'authenticated' })
    expect(user).toMatchObject({ status: 403, json: problem('42501') })
  })

  test.each([
    ['GET /secrets', 'SELECT ON public.secrets TO anon;'],
    ['POST /secrets', 'SELECT, INSERT ON public.secrets TO anon;'],
    ['PATCH /secrets?id=eq.1', 'SELECT, UPDATE ON public.secrets TO anon;'],
    ['DELETE /secrets?id=eq.1', 'SELECT, DELETE ON public.secrets TO anon;'],
  ])('%s says which grant is missing, and where it is made', async (request, grant) => {
    const body = /^(?:POST|PATCH)/.test(request) ? { body: { id: 1 } } : {}
    const { json } = await ask(request, body)
    expect(json).toMatchObject({
      code: '42501',
      hint: `Grant it with: GRANT ${grant} In the dashboard, the table editor offers it under API access when the table is edited.`,
    })
  })

  test('roles that a token cannot take', async () => {
    for (const role of [
      'nobody_at_all',
      'supabase_admin',
      'postgres',
      '__proto__',
      'constructor',
    ]) {
      const reply = await ask('GET /books', { as: role })
      expect([401, 403]).toContain(reply.status)
    }
  })

  test('a function that writes does not run in a GET', async () => {
    expect(await ask('GET /rpc/writes')).toMatchObject({ status: 405, json: problem('25006') })
    expect((await ask('GET /books?id=eq.99')).json).toEqual([])
  })

  test('the time of a statement is bounded by its role', async () => {
    expect(await ask('POST /rpc/slow')).toMatchObject({ status: 500, json: problem('57014') })
  })

  test('a function raises its own status, body and headers', async () => {
    const body = { code: 'h', message: 'm', detail: 'd' }
    expect(await ask('POST /rpc/raises', { body })).toMatchObject({
      status: 418,
      json: { code: 'PT418', message: 'm', details: 'd', hint: 'h' },
    })
    const answer = await ask('POST /rpc/says', {
      body: {
        message: '{"code":"X1","message":"no","details":"why","hint":"try"}',
        detail: '{"status":402,"headers":{"X-Pay":"now"}}',
      },
    })
    expect(answer).toMatchObject({
      status: 402,
      json: { code: 'X1', message: 'no', details: 'why', hint: 'try' },
    })
    expect(answer.headers.get('x-pay')).toBe('now')
    const bad = await ask('POST /rpc/says', { body: { message: 'x', detail: 'y' } })
    expect(bad).toMatchObject({ status: 500, json: problem('PGRST121') })
  })
})
