import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create function fails(code text, words text default 'no') returns int language plpgsql as
      'begin raise exception using errcode = code, message = words, detail = ''d'', hint = ''h''; end';
    create function says(body text, answer text) returns int language plpgsql as $$ begin
      if answer is null then raise sqlstate 'PGRST' using message = body; end if;
      raise sqlstate 'PGRST' using message = body, detail = answer; end $$;
    create table looped (id int);
    alter table looped enable row level security;
    create policy looped on looped using (exists (select from looped));
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

/** What clients see of each class of errors (contract §8). */
test.each<[string, number]>([
  ['08000', 503],
  ['08P01', 503],
  ['09000', 500],
  ['0L000', 403],
  ['0P000', 403],
  ['0A000', 400],
  ['21000', 500],
  ['22P02', 400],
  ['23502', 400],
  ['23503', 409],
  ['23505', 409],
  ['23514', 400],
  ['25000', 500],
  ['25006', 405],
  ['28000', 403],
  ['2D000', 500],
  ['38000', 500],
  ['39000', 500],
  ['3B000', 500],
  ['40001', 500],
  ['42601', 400],
  ['42703', 400],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['53000', 503],
  ['53400', 500],
  ['54000', 500],
  ['54001', 500],
  ['54011', 500],
  ['55000', 500],
  ['57014', 500],
  ['57P01', 503],
  ['57P03', 500],
  ['58000', 500],
  ['F0000', 500],
  ['HV000', 500],
  ['P0001', 400],
  ['P0002', 500],
  ['XX000', 500],
  ['PT402', 402],
  ['PT599', 599],
  ['PTXYZ', 500],
  ['PT600', 500],
])('%s is %i', async (code, status) => {
  const reply = await ask('POST /rpc/fails', { body: { code } })
  expect(reply).toMatchObject({ status, json: { code, message: 'no', details: 'd', hint: 'h' } })
  expect(reply.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('a change of all rows that a guard refuses is a mistake of the client', async () => {
  for (const words of ['UPDATE requires a WHERE clause', 'DELETE requires a WHERE clause']) {
    const reply = await ask('POST /rpc/fails', { body: { code: '21000', words } })
    expect(reply).toMatchObject({ status: 400, json: { code: '21000', message: words } })
  }
})

test('a missing right asks a visitor to sign in, and tells a user no', async () => {
  const visitor = await ask('POST /rpc/fails', { body: { code: '42501' } })
  expect([visitor.status, visitor.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  const user = await ask('POST /rpc/fails', { body: { code: '42501' }, as: 'authenticated' })
  expect([user.status, user.headers.get('www-authenticate')]).toEqual([403, null])
})

test('a policy that asks itself is an error of the server', async () => {
  expect(await ask('GET /looped')).toMatchObject({ status: 500, json: { code: '42P17' } })
})

test.each<[string, string | null]>([
  ['no JSON', '{"status":400,"headers":{}}'],
  ['{"message":"m"}', '{"status":400,"headers":{}}'],
  ['{"code":"c"}', '{"status":400,"headers":{}}'],
  ['{"code":"c","message":"m"}', null],
  ['{"code":"c","message":"m"}', 'no JSON'],
  ['{"code":"c","message":"m"}', '{"headers":{}}'],
  ['{"code":"c","message":"m"}', '{"status":400}'],
  ['{"code":"c","message":"m"}', '{"status":99,"headers":{}}'],
])('a raised answer of %s and %s cannot be read', async (body, answer) => {
  const reply = await ask('POST /rpc/says', { body: { body, answer } })
  expect(reply).toMatchObject({
    status: 500,
    json: {
      code: 'PGRST121',
      message: 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error',
    },
  })
})
