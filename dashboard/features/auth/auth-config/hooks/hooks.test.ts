import { expect, test } from 'vitest'
import { authKeys, settingOf, type AuthSettings } from '#contract/auth/auth-config-keys'
import { hooks, changesOfHook, draftOf, grantsFor, newSecret, problemsOf } from './hooks.ts'

// By the keys of the table, each with its default.
const config = Object.fromEntries(
  authKeys.map((key) => [key, settingOf(key).default]),
) as AuthSettings
const hook = hooks.find(({ name }) => name === 'SEND_SMS')
if (!hook) throw new Error('There is a hook that sends text messages')

test('what is stored is what the panel shows, and the other way round', () => {
  const uri = 'pg-functions://postgres/app/send_it'
  const stored = { ...config, HOOK_SEND_SMS_URI: uri, HOOK_SEND_SMS_ENABLED: false }
  const draft = draftOf(stored, hook)
  expect(draft).toMatchObject({ enabled: false, kind: 'function', schema: 'app', name: 'send_it' })
  expect(changesOfHook(hook, draft)).toEqual({
    HOOK_SEND_SMS_ENABLED: false,
    HOOK_SEND_SMS_URI: uri,
    HOOK_SEND_SMS_SECRETS: null,
  })
  const http = draftOf({ ...config, HOOK_SEND_SMS_URI: 'https://a.example.com/x' }, hook)
  expect(http).toMatchObject({ kind: 'http', url: 'https://a.example.com/x', name: '' })
  // The stored secret stays.
  expect(Object.keys(changesOfHook(hook, http))).not.toContain('HOOK_SEND_SMS_SECRETS')
})

test('what is missing is said', () => {
  const draft = draftOf(config, hook)
  expect(problemsOf(draft, false)).toEqual({ name: 'Choose a function' })
  const http = { ...draft, kind: 'http' as const, url: 'nowhere' }
  expect(Object.keys(problemsOf(http, false))).toEqual(['url', 'secret'])
  expect(problemsOf({ ...http, url: 'https://a.example.com' }, true)).toEqual({})
})

test('a secret has the form of the protocol and is another one each time', () => {
  expect(newSecret()).toMatch(/^v1,whsec_[A-Za-z0-9+/]{43}=$/)
  expect(newSecret()).not.toBe(newSecret())
})

test('grants quote what needs quotes', () => {
  expect(
    grantsFor({ ...draftOf(config, hook), schema: 'My app', name: 'f' }, 'event jsonb'),
  ).toContain('grant execute on function "My app".f(event jsonb) to supabase_auth_admin;')
})
