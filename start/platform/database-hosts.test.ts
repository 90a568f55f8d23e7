import { expect, test } from 'vitest'
import { readConfig } from '#kit/config'
import { databaseHosts } from './database-hosts.ts'

test('databases are reached by the names of the platform and its projects, and from this machine', () => {
  const hosts = databaseHosts(
    readConfig({
      PLINTH_URL: 'https://plinth.example.com',
      PLINTH_PROJECT_URL: 'https://{ref}.apps.example.com',
      PLINTH_POOLER_HOST: '0.0.0.0',
    }),
  )
  expect(hosts).toEqual(
    expect.arrayContaining(['plinth.example.com', 'apps.example.com', 'localhost', '::1']),
  )
  expect(hosts).not.toContain('0.0.0.0')
  expect(new Set(hosts).size).toBe(hosts.length)
})

test('an address of six numbers stands without its brackets', () => {
  expect(databaseHosts(readConfig({ PLINTH_URL: 'http://[2001:db8::1]:8000' }))).toContain(
    '2001:db8::1',
  )
})

test('a certificate needs its key, and the other way round', () => {
  for (const one of ['PLINTH_DATABASE_CERTIFICATE', 'PLINTH_DATABASE_KEY'])
    expect(() => readConfig({ [one]: '/a/file' })).toThrow('one of them needs the other')
  expect(
    readConfig({ PLINTH_DATABASE_CERTIFICATE: '/a/file', PLINTH_DATABASE_KEY: '/b' })
      .databaseCertificate,
  ).toEqual({ certificate: '/a/file', key: '/b' })
})
