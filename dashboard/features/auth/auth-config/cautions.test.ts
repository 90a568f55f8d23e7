import { expect, test } from 'vitest'
import { authSettings, authKeys, type AuthSettings } from '#contract/auth/auth-config-keys'
import { beforePhoneFactor } from './cautions.ts'

// The table says of each key what its default is.
const defaults = Object.fromEntries(
  authKeys.map((key) => [key, authSettings[key].default]),
) as AuthSettings
const on = { MFA_PHONE_VERIFY_ENABLED: true, MFA_PHONE_ENROLL_ENABLED: true }

test('who switches on codes by text message hears what they cost', () => {
  const caution = beforePhoneFactor(on, { before: defaults, hasPrices: true })
  expect(caution?.title).toBe('Enable text message codes?')
  expect(caution?.text).toContain('$75.00 a month for the first project')
  expect(caution?.text).toContain('$10.00 for each further one')
})

test('nobody hears of prices where there are none, or where they are on already', () => {
  expect(beforePhoneFactor(on, { before: defaults, hasPrices: false })).toBeUndefined()
  expect(
    beforePhoneFactor(
      { MFA_PHONE_ENROLL_ENABLED: true },
      { before: { ...defaults, MFA_PHONE_VERIFY_ENABLED: true }, hasPrices: true },
    ),
  ).toBeUndefined()
  expect(
    beforePhoneFactor({ MFA_PHONE_OTP_LENGTH: 8 }, { before: defaults, hasPrices: true }),
  ).toBeUndefined()
})

test('who switches them off hears what users lose', () => {
  const caution = beforePhoneFactor(
    { MFA_PHONE_VERIFY_ENABLED: false, MFA_PHONE_ENROLL_ENABLED: false },
    { before: { ...defaults, ...on }, hasPrices: true },
  )
  expect(caution?.title).toBe('Disable codes by SMS?')
})
