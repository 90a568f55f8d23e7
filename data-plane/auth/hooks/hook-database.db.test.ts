import { decodeJwt as decoded } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AuthHook } from '#contract/auth/auth-hooks'
import { code, json, signIn, victim } from '../../testing/auth/attack.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true })
})
afterAll(() => server.close())
afterEach(() => {
  tenant.config.hooks = {}
  server.logged.length = 0
})

/** A function of the database with this body; `event` is what it is told. */
async function define(name: string, body: string, { type = 'jsonb', grant = true } = {}) {
  await tenant.sql(
    `create or replace function public."${name}"(event ${type}) returns ${type} language plpgsql as $$ ${body} $$`,
  )
  await tenant.sql(`revoke execute on function public."${name}"(${type}) from public`)
  if (grant) {
    await tenant.sql(`grant execute on function public."${name}"(${type}) to supabase_auth_admin`)
  }
}
const use = (hook: AuthHook, name: string, schema = 'public') => {
  tenant.config.hooks = { [hook]: { kind: 'database', schema, name, secrets: [] } }
}
const signup = (email = newEmail()) => tenant.call('POST', '/signup', { email, password })
const refusal = async (answer: Response) => {
  const { error_code: found, msg } = await json<{ error_code: string; msg: string }>(answer)
  return [answer.status, found, msg]
}

test.each([
  [
    'that is not there',
    'absent',
    undefined,
    'There is no function public.absent with one argument of type json or jsonb',
  ],
  [
    'that may not be called',
    'locked',
    "begin return '{}'; end",
    'supabase_auth_admin may not call public.locked',
  ],
  ['that breaks', 'broken', 'begin return event / 0; end', "The hook's function raised an error"],
  [
    'that raises',
    'raises',
    "begin raise exception 'secret detail'; end",
    "The hook's function raised an error",
  ],
  [
    'that answers a number',
    'number',
    "begin return '7'; end",
    'The hook did not answer with a JSON object',
  ],
])('a function %s refuses, and the rest is undone', async (_, name, body, message) => {
  if (body !== undefined) await define(name, body, { grant: name !== 'locked' })
  use('BEFORE_USER_CREATED', name)
  const email = newEmail()
  expect(await refusal(await signup(email))).toEqual([422, 'hook_failed', message])
  expect(await tenant.sql('select 1 from auth.users where email = $1', [email])).toEqual([])
})

test('a function that takes more than two seconds is stopped', async () => {
  await define('slow', "begin perform pg_sleep(10); return '{}'; end")
  use('BEFORE_USER_CREATED', 'slow')
  expect(await refusal(await signup())).toEqual([
    422,
    'hook_timeout',
    'Failed to reach hook within maximum time of 2 seconds',
  ])
  // The limit is over with the call: what comes after on the same connections has its own.
  const [row] = (
    await tenant.pool.query<{ limit: string }>(
      `select current_setting('statement_timeout') as limit`,
    )
  ).rows
  expect(row?.limit).toBe('0')
})

test('names are names and never SQL', async () => {
  await tenant.sql('create table public.precious (id int)')
  use('BEFORE_USER_CREATED', 'x"(); drop table public.precious; --')
  expect((await refusal(await signup()))[1]).toBe('hook_failed')
  use('BEFORE_USER_CREATED', 'x', "public'; drop table public.precious; --")
  expect((await refusal(await signup()))[1]).toBe('hook_failed')
  expect(await tenant.sql('select * from public.precious')).toEqual([])
})

test('a function refuses in its own words, also one that takes json', async () => {
  const body = `begin
    if event->'user'->>'email' like '%@evil.example' then
      return '{"error": {"http_code": 403, "message": "Not from there"}}';
    end if;
    return '{}';
  end`
  for (const type of ['json', 'jsonb']) {
    const name = `gate_${type}`
    await define(name, body, { type })
    use('BEFORE_USER_CREATED', name)
    const answer = await signup(`${type}@evil.example`)
    expect(await refusal(answer)).toEqual([403, 'hook_rejected', 'Not from there'])
    expect((await signup()).status).toBe(200)
  }
})

test('a function adds claims, and sees what is being done', async () => {
  const { user } = await victim(tenant)
  await define(
    'claims',
    `begin return jsonb_build_object('claims', event->'claims' || jsonb_build_object(
       'sessions', (select count(*) from auth.sessions where user_id = (event->>'user_id')::uuid),
       'by', current_user)); end`,
  )
  use('CUSTOM_ACCESS_TOKEN', 'claims')
  const session = await signIn(tenant, user.email)
  expect(decoded(session.access_token)).toMatchObject({ sessions: 2, by: 'supabase_auth_admin' })
})

test('wrong passwords are told, what is noted of them stays, and a rejection is passed on', async () => {
  const { user, access_token: token } = await victim(tenant)
  await tenant.sql('create table public.attempts (user_id uuid, valid boolean)')
  await tenant.sql('grant insert, select on public.attempts to supabase_auth_admin')
  await define(
    'password_attempt',
    `begin
       insert into public.attempts values ((event->>'user_id')::uuid, (event->>'valid')::boolean);
       if (select count(*) from public.attempts where not valid) >= 2 then
         return '{"decision": "reject", "message": "Wait for a day", "should_logout_user": true}';
       end if;
       return '{"decision": "continue"}';
     end`,
  )
  use('PASSWORD_VERIFICATION_ATTEMPT', 'password_attempt')
  const attempt = (given: string) =>
    tenant.call('POST', '/token?grant_type=password', { email: user.email, password: given })
  expect((await attempt(password)).status).toBe(200)
  expect(await code(await attempt('wrong'))).toEqual([400, 'invalid_credentials'])
  expect(await refusal(await attempt('wrong'))).toEqual([
    400,
    'invalid_credentials',
    'Wait for a day',
  ])
  // From here on the right one does not help either, and who was signed in is out.
  expect(await refusal(await attempt(password))).toEqual([
    400,
    'invalid_credentials',
    'Wait for a day',
  ])
  expect(await server.auth.access.holderOf(tenant, token)).toBeUndefined()
  const rows = await tenant.sql('select valid from public.attempts where user_id = $1', [user.id])
  expect(rows.map(({ valid }) => valid)).toEqual([true, false, false, true])
})

test('second factors are told, rightly shown or not, and a rejection ends every session', async () => {
  const { mfaTesting, codeIn } = await import('../../testing/auth/mfa.ts')
  const mfa = mfaTesting(server, tenant)
  const { email, factor, client } = await mfa.protectedUser()
  await define(
    'factor_attempt',
    `begin
       insert into public.attempts values ((event->>'user_id')::uuid, (event->>'valid')::boolean);
       return case when (event->>'valid')::boolean then '{"decision": "continue"}'::jsonb
         else '{"decision": "reject", "message": "Off"}' end;
     end`,
  )
  use('MFA_VERIFICATION_ATTEMPT', 'factor_attempt')
  const shown = (of: typeof client, given: string) =>
    of.auth.mfa.challengeAndVerify({ factorId: factor.id, code: given })
  const second = await mfa.signedIn(email)
  expect((await shown(second, mfa.nextCode(factor.secret))).error).toBeNull()
  const wrong = await shown(second, '000000')
  expect(codeIn(wrong)).toEqual([403, 'mfa_verification_rejected'])
  expect(wrong.error?.message).toBe('Off')
  expect((await client.auth.getUser()).error).not.toBeNull()
  const rows = await tenant.sql(
    'select valid from public.attempts where user_id = (select id from auth.users where email = $1)',
    [email],
  )
  expect(rows.map(({ valid }) => valid)).toEqual([true, false])
})
