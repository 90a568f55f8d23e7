import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { silentLog } from '#kit/log'
import { createDataPlane } from '../app.ts'
import type { ProjectMail } from './project-auth.ts'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

let plane: TestDataPlane
const kept: ProjectMail[] = []

/** The same project behind a data plane that has a mail server, or a mailbox. */
async function serve(smtpUrl?: string) {
  const app = createDataPlane({
    directory: plane.directory,
    internalToken: 'a token that only our own programs know',
    smtpUrl,
    mailFrom: 'Plinth <no-reply@localhost>',
    keepMail: async (mail) => void kept.push(mail),
    imports: { folder: join(tmpdir(), `plinth-imports-${randomUUID()}`) },
    log: silentLog,
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = createClient(`${address}/${plane.project.ref}`, plane.project.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
  return { app, client }
}

beforeAll(async () => {
  const auth = {
    EXTERNAL_PHONE_ENABLED: true,
    SMS_MAX_FREQUENCY: 0,
    SMS_TEST_OTP: '15550001111=123456',
  }
  plane = await startDataPlane('', { auth })
})
afterAll(() => plane.close())

test('with a mail server there is no outbox', async () => {
  const { app, client } = await serve('smtp://127.0.0.1:1')
  const { error } = await client.auth.signInWithOtp({ phone: '+4915112345678' })
  expect(error?.code).toBe('sms_send_failed')
  expect(kept).toEqual([])
  await app.close()
})

test('a project’s text messages are in the mailbox, and its test numbers have their codes', async () => {
  const { app, client } = await serve()
  const phone = '+4915112345678'
  expect((await client.auth.signInWithOtp({ phone })).error).toBeNull()
  expect(kept).toMatchObject([{ ref: plane.project.ref, to: phone, subject: 'Text message' }])
  const token = /\d{6}$/.exec(kept[0]?.text ?? '')?.[0] ?? ''
  expect((await client.auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull()
  const test = { phone: '15550001111', token: '123456', type: 'sms' } as const
  await client.auth.signInWithOtp({ phone: test.phone })
  expect((await client.auth.verifyOtp(test)).data.user?.phone).toBe(test.phone)
  await app.close()
})
