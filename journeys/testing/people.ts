import { randomBytes } from 'node:crypto'
import { generateSync } from 'otplib'
import { expect } from 'vitest'
import { personWith, signUp, type Account } from './client.ts'
import type { Place } from './platform.ts'

/** Everybody's. */
export const password = 'Str0ng-enough!'

/** An address that nobody else on a shared platform has: `ada.3f9c1a@example.com`. */
export const addressOf = (name: string, domain = 'example.com') =>
  `${name}.${randomBytes(3).toString('hex')}@${domain}`

/** Somebody with an account and a session, made over HTTP. */
export const newPerson = (platform: Pick<Place, 'url'>, name = 'ada'): Promise<Account> =>
  signUp(platform.url, addressOf(name), password)

/** Half minutes since 1970, each with a code of its own. */
const stepNow = () => Math.floor(Date.now() / 30_000)

/** The code that an authenticator app shows, `steps` half minutes from now. */
export const codeAt = (secret: string, steps: number) => codeOf(secret, stepNow() + steps)
const codeOf = (secret: string, step: number) => generateSync({ secret, epoch: 30 * step })

/**
 * Gives a person a second factor as an app does: its secret, and the person in a session that has shown it. The code is
 * of the step before, so this one stays unused.
 */
export async function enrol(
  platform: Pick<Place, 'url'>,
  person: Account,
): Promise<{ secret: string; strong: Account }> {
  const made = await person.call('POST', '/auth/v1/factors', { factor_type: 'totp' })
  // What the auth service answers with (contract of factors).
  const { secret } = made.body['totp'] as { secret: string }
  const factor = `/auth/v1/factors/${String(made.body['id'])}`
  const verify = async (step: number) => {
    const challenge = await person.call('POST', `${factor}/challenge`, {})
    return person.call('POST', `${factor}/verify`, {
      challenge_id: challenge.body['id'],
      code: codeOf(secret, step),
    })
  }
  let step = stepNow()
  let verified = await verify(step - 1)
  // Half a minute ended on the way, so that this code was of the one before the last, which no server takes.
  for (; verified.status === 422 && stepNow() > step; verified = await verify(step - 1))
    step = stepNow()
  expect(verified.status).toBe(200)
  const strong = personWith(platform.url, String(verified.body['access_token']))
  return { secret, strong: { ...strong, email: person.email, session: verified.body } }
}
