import { expect, test } from 'vitest'
import { loginRoles } from '#contract/database/login-roles'
import { createVerifiers } from './verifiers.ts'

test('a verifier is remembered for a moment, but those of logins whose password changes with each command', async () => {
  const asked: string[] = []
  let now = 0
  const verifiers = createVerifiers(
    async (_, role) => {
      asked.push(role)
      return 'md5 of something'
    },
    () => now,
  )
  for (let at = 0; at < 3; at += 1) {
    expect(await verifiers.of('ref', 'postgres')).toBe('other')
    expect(await verifiers.of('ref', loginRoles.owner)).toBe('other')
  }
  expect(asked).toEqual(['postgres', loginRoles.owner, loginRoles.owner, loginRoles.owner])
  now = 5001
  await verifiers.of('ref', 'postgres')
  expect(asked.at(-1)).toBe('postgres')
})
