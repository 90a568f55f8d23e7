import { expect, test } from 'vitest'
import { authKeys, settingOf, type AuthSettings } from '#contract/auth/auth-config-keys'
import type { SettingField } from './setting-field.ts'
import { changesOf, problemIn, valuesOf, refusalsIn, timeOf } from './settings-form.ts'

test.each([
  [0, 'no limit'],
  [1, '1 second'],
  [90, '1 minute 30 seconds'],
  [3600, '1 hour'],
  [93_784, '1 day 2 hours'],
])('%i seconds are %s', (seconds, words) => expect(timeOf(seconds)).toBe(words))

const keys = new Set(['SITE_URL', 'SMTP_PORT'] as const)

test('what names a field of the form goes there, everything else is said for the whole', () => {
  const { fields, rest } = refusalsIn(
    'SITE_URL: must be an address; as this: https://a; SMTP_PORT: is needed; SMTP_USER: too; and so on',
    keys,
  )
  expect([...fields]).toEqual([
    ['SITE_URL', 'Must be an address; as this: https://a'],
    ['SMTP_PORT', 'Is needed'],
  ])
  expect(rest).toBe('SMTP_USER: too; and so on')
})

test('a refusal that names nothing stays as it is', () => {
  const { fields, rest } = refusalsIn('The plan of this organization: no; sorry', keys)
  expect(fields.size).toBe(0)
  expect(rest).toBe('The plan of this organization: no; sorry')
})

// By the keys of the table, each with its default.
const config = Object.fromEntries(
  authKeys.map((key) => [key, settingOf(key).default]),
) as AuthSettings
const site: SettingField = { key: 'SITE_URL', kind: 'text', label: 'Site URL' }
const targets: SettingField = { key: 'URI_ALLOW_LIST', kind: 'lines', label: 'Redirect URLs' }
const rate: SettingField = { key: 'RATE_LIMIT_OTP', kind: 'whole', label: 'Codes' }
const signup: SettingField = { key: 'DISABLE_SIGNUP', kind: 'check', label: 'Closed' }
const fields = [site, targets, rate, signup]
const secret: SettingField = { key: 'SMTP_PASS', kind: 'secret', label: 'Password' }
const open: SettingField = { key: 'DISABLE_SIGNUP', kind: 'check', inverted: true, label: 'Open' }
const factor: SettingField = {
  key: 'MFA_TOTP_VERIFY_ENABLED',
  enroll: 'MFA_TOTP_ENROLL_ENABLED',
  kind: 'factor',
  label: 'App',
}

test('what is shown and not changed is no change', () => {
  expect(changesOf(valuesOf(config, fields), config, fields)).toEqual({})
})

test('only what differs is sent, as the setting has it', () => {
  const values = {
    SITE_URL: ' https://example.com ',
    URI_ALLOW_LIST: 'https://a.example.com/**\n\n app://x \n',
    RATE_LIMIT_OTP: '31',
    DISABLE_SIGNUP: true,
  }
  const changes = changesOf(values, config, fields)
  expect(changes).toEqual({
    SITE_URL: 'https://example.com',
    URI_ALLOW_LIST: 'https://a.example.com/**,app://x',
    RATE_LIMIT_OTP: 31,
    DISABLE_SIGNUP: true,
  })
  const saved = { ...config, ...changes }
  expect(valuesOf(saved, [targets])).toEqual({
    URI_ALLOW_LIST: 'https://a.example.com/**\napp://x',
  })
})

test('what the server would refuse is said before', () => {
  expect(problemIn(site, 'example.com')).toMatch(/^Must be a full address/)
  expect(problemIn(targets, 'https://a.example.com\nnonsense')).toMatch(/nonsense is no address/)
  expect(problemIn(rate, '0')).toMatch(/^A whole number from 1/)
  expect(problemIn(rate, '2.5')).toMatch(/^A whole number/)
  expect(problemIn(rate, ' 30 ')).toBeUndefined()
  expect(problemIn(signup, true)).toBeUndefined()
})

test('a secret is never shown, and an empty field keeps it', () => {
  const kept = { ...config, SMTP_PASS: 'hidden:1234' }
  expect(valuesOf(kept, [secret])).toEqual({ SMTP_PASS: '' })
  expect(changesOf({ SMTP_PASS: '' }, kept, [secret])).toEqual({})
  expect(changesOf({ SMTP_PASS: ' new one ' }, kept, [secret])).toEqual({ SMTP_PASS: ' new one ' })
})

test('a question asked the other way round is stored the right way round', () => {
  expect(valuesOf(config, [open])).toEqual({ DISABLE_SIGNUP: true })
  expect(changesOf({ DISABLE_SIGNUP: false }, config, [open])).toEqual({ DISABLE_SIGNUP: true })
})

test('how a factor is offered is one choice and two settings', () => {
  expect(valuesOf(config, [factor])).toEqual({ MFA_TOTP_VERIFY_ENABLED: 'enabled' })
  expect(changesOf({ MFA_TOTP_VERIFY_ENABLED: 'verify' }, config, [factor])).toEqual({
    MFA_TOTP_ENROLL_ENABLED: false,
  })
  expect(changesOf({ MFA_TOTP_VERIFY_ENABLED: 'disabled' }, config, [factor])).toEqual({
    MFA_TOTP_VERIFY_ENABLED: false,
    MFA_TOTP_ENROLL_ENABLED: false,
  })
})
