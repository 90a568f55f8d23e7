import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authSettings, isSecret, type AuthKey } from '#contract/auth/auth-config-keys'
import { travellingAuthKeys } from '#contract/projects/branch-travel'
import {
  canonical,
  conflictsIn,
  isSame,
  seenAfterMerge,
  seenAfterPull,
  toMerge,
  toPull,
  type Json,
  type Side,
  type Sides,
} from './three-sides.ts'

const value = fc.oneof(
  fc.constantFrom<Json>(1, 2, 'x', null, true),
  fc.record({ public: fc.boolean(), limit: fc.constantFrom(1, null) }),
)
const someSide: fc.Arbitrary<Side> = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value)
const sides = fc.record({ branch: someSide, main: someSide, seen: someSide })

const write = (to: Side, from: Side, names: string[]): Side => ({
  ...to,
  ...Object.fromEntries(names.map((name) => [name, from[name] ?? null])),
})
const merged = (given: Sides): Sides => {
  const main = write(given.main, given.branch, toMerge(given))
  return { ...given, main, seen: seenAfterMerge({ ...given, main }) }
}
const pulled = (given: Sides, asked: string[] = []): Sides => {
  const branch = write(given.branch, given.main, toPull(given, asked))
  return { ...given, branch, seen: seenAfterPull({ ...given, branch }) }
}

test('the order of keys makes no difference, and a name of every object is none of a side', () => {
  expect(canonical({ a: 1, b: [null, { d: 1, c: 2 }] })).toBe(
    canonical({ b: [null, { c: 2, d: 1 }], a: 1 }),
  )
  expect(toMerge({ branch: {}, main: {}, seen: {} })).toEqual([])
  expect(isSame(null, undefined)).toBe(false)
  expect(toPull({ branch: {}, main: { toString: 1 }, seen: {} })).toEqual(['toString'])
})

test('without a conflict a merge takes over what the branch alone has changed, and main keeps what it has changed', () => {
  fc.assert(
    fc.property(sides, (given) => {
      fc.pre(conflictsIn(given).length === 0)
      const after = merged(given)
      for (const [name, had] of Object.entries(given.main))
        if (!isSame(had, given.seen[name]) && !isSame(given.branch[name], had))
          expect(after.main[name], name).toEqual(had)
      for (const [name, had] of Object.entries(given.branch))
        if (!isSame(had, given.seen[name])) expect(after.main[name], name).toEqual(had)
    }),
  )
})

test('however often it is merged, what main alone has changed is not undone', () => {
  fc.assert(
    fc.property(sides, fc.array(someSide, { maxLength: 3 }), (given, changes) => {
      let now = given
      for (const change of changes) {
        // Somebody changes main, and the branch stays as it is.
        now = { ...now, main: { ...now.main, ...change } }
        if (conflictsIn(now).length > 0) return
        const before = now.main
        const own = Object.keys(now.branch).filter(
          (name) => !isSame(now.branch[name], now.seen[name]),
        )
        now = merged(now)
        for (const name of Object.keys(change))
          if (!own.includes(name)) expect(now.main[name], name).toEqual(before[name])
        expect(toMerge(now), 'once more there is nothing to merge').toEqual([])
      }
    }),
  )
})

test('an update leaves no conflict; each side that is asked for is taken, and a merge makes both alike', () => {
  fc.assert(
    fc.property(sides, fc.subarray(['a', 'b', 'c', 'd']), (given, asked) => {
      const conflicts = conflictsIn(given).filter((name) => given.main[name] !== undefined)
      const updated = pulled(given, asked)
      for (const name of conflicts) {
        const chosen = asked.includes(name) ? given.main : given.branch
        expect(updated.branch[name], name).toEqual(chosen[name])
      }
      expect(conflictsIn(updated)).toEqual([])
      expect(toPull(updated)).toEqual([])
      const after = merged(updated)
      for (const name of Object.keys(after.branch))
        if (Object.hasOwn(after.main, name))
          expect(after.main[name], name).toEqual(after.branch[name])
    }),
  )
})

test('what main has deleted does not come back with a branch that has not touched it', () => {
  const seen = { files: { public: true } }
  const given = { branch: seen, main: {}, seen }
  expect(merged(merged(pulled(given))).main).toEqual({})
  const changed = { branch: { files: { public: false } }, main: {}, seen }
  expect(conflictsIn(changed)).toEqual(['files'])
  expect(merged(pulled(changed)).main).toEqual({ files: { public: false } })
})

test('of the auth service nothing travels that is secret, an address, or an account of this one project', () => {
  const stays: AuthKey[] = [
    'SITE_URL',
    'URI_ALLOW_LIST',
    'SMTP_HOST',
    'SMTP_PASS',
    'SMTP_ADMIN_EMAIL',
    'EXTERNAL_GITHUB_ENABLED',
    'EXTERNAL_GITHUB_CLIENT_ID',
    'EXTERNAL_GITHUB_SECRET',
    'EXTERNAL_PHONE_ENABLED',
    'SMS_PROVIDER',
    'SMS_TWILIO_AUTH_TOKEN',
    'SMS_TEST_OTP',
    'HOOK_SEND_EMAIL_URI',
    'SECURITY_CAPTCHA_ENABLED',
    'WEBAUTHN_RP_ID',
    'SAML_EXTERNAL_URL',
    'MFA_PHONE_VERIFY_ENABLED',
  ]
  for (const key of stays) expect(travellingAuthKeys).not.toContain(key)
  const goes: AuthKey[] = [
    'JWT_EXP',
    'DISABLE_SIGNUP',
    'PASSWORD_MIN_LENGTH',
    'EXTERNAL_EMAIL_ENABLED',
    'EXTERNAL_ANONYMOUS_USERS_ENABLED',
    'MAILER_TEMPLATES_INVITE_CONTENT',
    'RATE_LIMIT_OTP',
    'MFA_TOTP_ENROLL_ENABLED',
  ]
  for (const key of goes) expect(travellingAuthKeys).toContain(key)
  expect(travellingAuthKeys.filter(isSecret)).toEqual([])
  // Whoever adds a setting decides here whether it goes along.
  expect([travellingAuthKeys.length, Object.keys(authSettings).length]).toEqual([62, 183])
})
