import { createClient } from '@supabase/supabase-js'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startDataPlane, type TestDataPlane } from './testing.ts'

let plane: TestDataPlane
beforeAll(async () => {
  const setup = `create table vault (id int); insert into vault values (1);
    alter table vault enable row level security;
    create policy guarded on vault to authenticated using (auth.jwt() ->> 'aal' = 'aal2')`
  plane = await startDataPlane(setup, { auth: { mailerAutoconfirm: true } })
})
afterAll(() => plane.close())

test('a policy can ask for the second factor of a project’s user', async () => {
  const client = createClient(plane.url, plane.project.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
  const rows = async () => (await client.from('vault').select('id')).data
  expect(
    (await client.auth.signUp({ email: 'ada@example.com', password: 'correct horse 1' })).error,
  ).toBeNull()
  expect(await rows()).toEqual([])
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: data?.id ?? '',
    code: generateSync({ secret: data?.totp.secret ?? '' }),
  })
  expect(error).toBeNull()
  expect(await rows()).toEqual([{ id: 1 }])
  // Sealed with the key of the connection, so that whoever reads the table has no codes.
  const [factor] = await plane.sql('select secret from auth.mfa_factors')
  expect(factor?.['secret']).toMatch(/^v1\./)
})

test('sessions are behind the gateway as the rest: without a key nobody passes', async () => {
  expect((await fetch(`${plane.url}/auth/v1/sessions`)).status).toBe(401)
  expect((await fetch(`${plane.url}/auth/v1/factors`, { method: 'POST' })).status).toBe(401)
})
