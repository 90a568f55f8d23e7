import { expect, test } from 'vitest'
import { authErrorText, errorsAt, SignInError } from './auth-error.ts'

const mail = 'support@plinth.test'

test('an address that GitHub has not verified', () => {
  expect(authErrorText('Error sending confirmation mail', mail)).toBe(
    'Please verify your email on GitHub first, then reach out to us at support@plinth.test to log into the dashboard.',
  )
})

test('a server that cannot be reached', () => {
  for (const message of [
    'Failed to fetch',
    'Load failed',
    'NetworkError when attempting to fetch resource.',
  ])
    expect(authErrorText(message, mail)).toBe(
      'Unable to reach the server. Please check your network or try again later.',
    )
})

test('everything else says what it says', () => {
  expect(authErrorText('Invalid login credentials', mail)).toBe('Invalid login credentials')
})

const refused = (code?: string) => new SignInError('No', code)

test('a refusal stands beside the field that it is about', () => {
  expect(errorsAt(refused('user_already_exists'), 'email', 'password')).toEqual({ email: 'No' })
  expect(errorsAt(refused('weak_password'), 'email', 'password')).toEqual({ password: 'No' })
  expect(errorsAt(refused('mfa_verification_failed'), 'code')).toEqual({ code: 'No' })
})

test('a refusal about no field, or one that the form has not, stands above the button', () => {
  expect(errorsAt(refused('invalid_credentials'), 'email', 'password')).toEqual({ form: 'No' })
  expect(errorsAt(refused('weak_password'), 'email')).toEqual({ form: 'No' })
  expect(errorsAt(refused(), 'email')).toEqual({ form: 'No' })
  expect(errorsAt(null, 'email')).toEqual({})
})
