import { expect, test } from 'vitest'
import { addressLabel, databaseAddress, waysOf } from './database-url.ts'

const parse = (text: string) => databaseAddress(text, '--from-db-url')

test('an address of a database, with what may be left out', () => {
  expect(parse('postgresql://postgres:p%40ss%3A1@db.example.com/postgres')).toEqual({
    host: 'db.example.com',
    port: 5432,
    user: 'postgres',
    password: 'p@ss:1',
    database: 'postgres',
    tls: 'prefer',
  })
  const pooled = parse(
    'postgres://postgres.abc:x@aws-0-eu.pooler.supabase.com:5432?sslmode=require',
  )
  expect(addressLabel(pooled)).toBe('postgres.abc@aws-0-eu.pooler.supabase.com:5432/postgres')
  expect(parse('postgres://a:b@[::1]:5/c').host).toBe('::1')
})

test.each([
  ['nonsense', 'not a connection string'],
  ['https://a:secret@b/c', 'must begin with postgresql://'],
  ['postgres:///x', 'has no host'],
  ['postgres://host/x', 'has no user'],
  ['postgres://a:secret@b/c?options=-c', 'unknown parameter "options"'],
  ['postgres://a:secret@b/c?sslmode=maybe', 'sslmode must be one of'],
  ['postgres://a:secret@x.pooler.supabase.com:6543/c', 'session pooler'],
  ['postgres://a:secret%@b/c', 'percent-encoded'],
])('%s is refused', (text, why) => {
  const failure = (() => {
    try {
      return parse(text)
    } catch (error) {
      return error
    }
  })()
  expect(String(failure)).toContain(why)
  expect(String(failure)).not.toContain('secret')
})

test('a certificate to trust is read when it is needed', () => {
  expect(waysOf(parse('postgres://a:b@c/d?sslmode=require'))).toEqual([
    { rejectUnauthorized: false },
  ])
  expect(waysOf(parse('postgres://a:b@c/d'))).toEqual([{ rejectUnauthorized: false }, false])
  const missing = parse('postgres://a:b@c/d?sslmode=verify-full&sslrootcert=/no/such.crt')
  expect(() => waysOf(missing)).toThrow('/no/such.crt cannot be read')
})
