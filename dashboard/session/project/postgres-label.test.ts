import { expect, test } from 'vitest'
import { postgresLabel } from './postgres-label.ts'

test.each([
  ['postgresql-17.10', 'Postgres 17.10'],
  ['17.4.1.032', 'Postgres 17.4'],
  ['17.0.1-orioledb', 'OrioleDB 17.0'],
  ['', 'Postgres'],
])('%j is %s', (version, label) => {
  expect(postgresLabel(version)).toBe(label)
})
