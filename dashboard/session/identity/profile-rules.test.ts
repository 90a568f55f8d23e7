import { expect, test } from 'vitest'
import { CallError, texts } from '../../api/call-error.ts'
import { afterLoadFailure, creationFailure } from './profile-rules.ts'

const refused = (code: number, message: string, reason?: string) =>
  new CallError(message, { code, reason })

test.each([
  [refused(404, "User's profile not found", 'user_profile_not_found'), 'create'],
  [refused(404, "User's profile not found"), 'create'],
  [refused(404, 'There is nothing at this address', 'not_found'), 'fail'],
  [refused(401, 'Sign in to do this', 'not_signed_in'), 'sign-out'],
  [refused(401, "User's profile not found"), 'sign-out'],
  [
    refused(403, 'Confirm with your second factor to continue', 'second_factor_missing'),
    'ask-second-factor',
  ],
  [refused(403, 'You do not have permission to do this', 'not_allowed'), 'fail'],
  [refused(0, texts.network), 'fail'],
  [refused(500, 'Something went wrong on our side', 'internal'), 'fail'],
  [new Error("User's profile not found"), 'fail'],
])('%s on reading the profile leads to %s', (error, move) => {
  expect(afterLoadFailure(error)).toBe(move)
})

test('a 409 on making the profile is only logged', () => {
  expect(creationFailure(refused(409, 'Profile already exists'))).toEqual({
    log: 'Profile already exists',
  })
})

test.each([
  [refused(400, 'The request is not valid'), 'Failed to create profile: The request is not valid'],
  [refused(429, 'Too many requests'), 'Failed to create profile: Too many requests'],
  [refused(500, 'x'), 'Failed to create your profile. Please refresh to try again.'],
  [refused(0, texts.network), 'Failed to create your profile. Please refresh to try again.'],
  [new Error('x'), 'Failed to create your profile. Please refresh to try again.'],
])('%s on making the profile is told in a toast', (error, text) => {
  expect(creationFailure(error)).toEqual({ toast: text })
})
