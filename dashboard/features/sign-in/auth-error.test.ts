import { expect, test } from 'vitest'
import { authErrorText } from './auth-error.ts'

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
