import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const selfHosted = (url: string) => ({ PLINTH_MODE: 'self-hosted', DATABASE_URL: url })

test('the ways of encryption that every service has', () => {
  for (const query of ['', '?sslmode=disable', '?sslmode=require', '?host=/run/pg'])
    expect(readConfig(selfHosted(`postgres://u@db/app${query}`)).selfHosted?.databaseUrl).toBe(
      `postgres://u@db/app${query}`,
    )
})

test.each([
  [{ PLINTH_MODE: 'self-hosted' }, /^DATABASE_URL: must be set in self-hosted mode$/],
  // These would be connections in the open, or to a server that nobody looks at.
  [selfHosted('postgres://u@db/app?sslmode=verify-ca'), /^DATABASE_URL: sslmode must be one of/],
  [selfHosted('postgres://u@db/app?sslmode=prefer'), /^DATABASE_URL: sslmode must be one of/],
  [selfHosted('postgres://u@db/app?sslmode=required'), /^DATABASE_URL: sslmode must be one of/],
  [
    selfHosted('postgres://u@db/app?sslmode=verify-full&sslrootcert=/etc/ca.crt'),
    /^DATABASE_URL: sslrootcert is not read/,
  ],
])('%o stops with a line that names it', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(line)
})

test('in other modes it is another program’s', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://u@db/app?sslmode=prefer' }).selfHosted).toBe(
    undefined,
  )
})
