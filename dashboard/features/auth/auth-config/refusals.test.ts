import { expect, test } from 'vitest'
import { refusalsIn } from './refusals.ts'

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
