import { expect, test } from 'vitest'
import { redact } from './redact.ts'

test.each([
  ['postgresql://postgres:hunter2@db.example.com:5432/postgres', 'hunter2'],
  ['psql "postgres://me:p%40ss:w0rd@localhost/x?sslmode=require"', 'p%40ss'],
  ['redis://:hunter2@cache:6379', 'hunter2'],
  ['host=localhost password=hunter2 user=me', 'hunter2'],
  ["host=localhost password = 'hunter two' user=me", 'hunter two'],
  ["alter role me with encrypted password 'hunter2'", 'hunter2'],
  ["create role me login PASSWORD 'hunter2';", 'hunter2'],
  ['apikey: eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2lnbmF0dXJl', 'eyJyb2xl'],
  [`token sbp_${'a1'.repeat(20)}`, 'a1a1a1'],
  [`token sbp_oauth_${'a1'.repeat(20)}`, 'a1a1a1'],
  ['sb_secret_abcdefghijkl', 'abcdefgh'],
  [`OPENAI_API_KEY=sk-${'x'.repeat(40)}`, 'xxxxxxxx'],
  [`stripe sk_live_${'x'.repeat(24)}`, 'xxxxxxxx'],
  ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
  [`Authorization: Bearer ${'ab'.repeat(12)}`, 'ababab'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', 'MIIE'],
  ['-----BEGIN PRIVATE KEY-----\nMIIE cut off', 'MIIE'],
])('%s does not leave', (text, secret) => {
  expect(text).toContain(secret)
  expect(redact(text)).not.toContain(secret)
  expect(redact(text)).toContain('[removed')
})

test.each([
  'select id, title from public.books where author_id = 4 order by title limit 10',
  'The password column is missing; see https://www.postgresql.org/docs/17/index.html.',
  'create table users (password text not null, email text)',
  'bearer of the ring',
])('%s stays as it is', (text) => expect(redact(text)).toBe(text))
