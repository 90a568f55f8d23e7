import { expect, test } from 'vitest'
import type { Flags } from '../manage/manage-command.ts'
import { importOptions } from './options.ts'

const ref = 'abcdefghijklmnopqrst'
const password = { 'db-password': 'p' }
const database = { 'from-db-url': 'postgres://a:b@c/d' }
const service = { 'from-url': 'https://zyxwvutsrqponmlkjihg.supabase.co/', 'from-service-key': 'k' }
const of = (flags: Flags, environment = {}) => importOptions([ref], flags, environment)

test('what can be imported follows from what is given', () => {
  const parts = (flags: Flags) => of({ ...password, ...flags }).parts
  expect(parts(database)).toEqual(['schema', 'auth', 'data'])
  expect(parts(service)).toEqual(['auth', 'storage', 'keys'])
  expect(parts({ ...service, 'from-access-token': 't' })).toEqual([
    'auth',
    'storage',
    'functions',
    'secrets',
    'keys',
  ])
  // Whatever order they are typed in.
  expect(parts({ ...database, only: 'data, schema' })).toEqual(['schema', 'data'])
  expect(of({ ...password, ...database }).withheld).toContainEqual({
    part: 'storage',
    needs: '--from-url and --from-service-key',
  })
})

test('an address has no slash at its end, and a hosted one tells the ref', () => {
  const { url, management } = of({ ...password, ...service, 'from-access-token': 't' })
  expect(url).toBe('https://zyxwvutsrqponmlkjihg.supabase.co')
  expect(management).toEqual({
    url: 'https://api.supabase.com',
    token: 't',
    ref: 'zyxwvutsrqponmlkjihg',
  })
})

test('secrets come by the environment too, and what is typed wins', () => {
  const environment = { PLINTH_DB_PASSWORD: 'e', PLINTH_FROM_DB_URL: 'postgres://e:f@g/h' }
  expect(of({}, environment)).toMatchObject({ password: 'e', database: { user: 'e' } })
  expect(of(database, environment)).toMatchObject({ database: { user: 'a' } })
})

test.each<[Flags, string]>([
  [{}, 'say where to import from'],
  [{ ...password, only: 'moon', ...database }, '"moon" is not one of schema, auth'],
  [{ ...password, only: 'data,', ...database }, 'separate the names with commas'],
  [{ ...password, only: 'functions', ...database }, 'functions needs --from-access-token'],
  [{ ...database }, 'give --db-password'],
  [{ ...password, 'from-url': 'https://x.supabase.co' }, 'needs --from-service-key'],
  [{ ...password, ...service, 'from-url': 'ftp://x' }, '"ftp://x" is not a URL'],
  [{ ...password, ...service, 'from-url': 'https://x/?a=b' }, 'only the address'],
  [{ ...password, ...service, 'from-service-key': 'a\r\nb' }, 'this is not a key'],
  [{ ...password, 'from-ref': 'x' }, '--from-ref needs --from-access-token'],
  [{ ...password, 'from-access-token': 't' }, 'needs --from-ref'],
  [{ ...password, 'from-access-token': 't', 'from-ref': '../x' }, 'is not a project ref'],
  [{ ...password, ...service, 'from-jwt-secret': 'short' }, '32 to 512 bytes'],
])('%o is refused: %s', (flags, why) => {
  expect(() => of(flags)).toThrow(why)
})
