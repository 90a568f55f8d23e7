import fc from 'fast-check'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { stringTypes } from './connection-strings.ts'
import { connectionUri, placeholder, type Server } from './connection-uri.ts'

const server: Server = {
  host: 'db.example.com',
  port: 54_322,
  database: 'postgres',
  user: 'postgres',
}
const withPassword = (password: string): Server => ({ ...server, password })
const filesOf = (id: string, of: Server) =>
  stringTypes.find((type) => type.id === id)?.files(of) ?? []
const codeOf = (id: string, of: Server, name?: string) =>
  filesOf(id, of).find((file) => name === undefined || file.name === name)?.code ?? ''

const passwords = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 99 })
  .filter((text) => !/\p{Surrogate}/u.test(text))

test('the kinds, in their order', () => {
  expect(stringTypes.map(({ name }) => name)).toEqual([
    'URI',
    'PSQL',
    'Golang',
    'JDBC',
    '.NET',
    'Node.js',
    'PHP',
    'Python',
    'SQLAlchemy',
  ])
})

test('without a password every string but that of psql, which asks, has the placeholder', () => {
  for (const { id, files } of stringTypes) {
    const text = files(server)
      .map(({ code }) => code)
      .join('\n')
    expect([id, text.includes(placeholder)]).toEqual([id, id !== 'psql'])
    expect(text).toContain('54322')
  }
})

test('a driver reads any password back out of the URI', () => {
  fc.assert(
    fc.property(passwords, (password) => {
      const uri = connectionUri(withPassword(password))
      expect(new Client({ connectionString: uri })).toMatchObject({
        host: 'db.example.com',
        port: 54_322,
        database: 'postgres',
        user: 'postgres',
        password,
      })
      // Nothing in it means anything to a shell or a .env file.
      expect(uri).toMatch(/^[\w:/@.%~-]+$/)
    }),
    { numRuns: 1000 },
  )
})

test('any password comes back out of a JDBC URL and a .NET string', () => {
  fc.assert(
    fc.property(passwords, (password) => {
      const jdbc = new URL(codeOf('jdbc', withPassword(password)).slice('jdbc:'.length))
      expect(jdbc.searchParams.get('password')).toBe(password)
      // The file is read as JSON first, then the string by the rules of ADO.NET: a quote is doubled inside quotes.
      const settings: unknown = JSON.parse(
        codeOf('dotnet', withPassword(password), 'appsettings.json'),
      )
      const { ConnectionStrings } = settings as { ConnectionStrings: { Project: string } }
      const given = /;Password=([^]*)$/.exec(ConnectionStrings.Project)?.[1] ?? ''
      expect(given.startsWith('"') ? given.slice(1, -1).replaceAll('""', '"') : given).toBe(
        password,
      )
    }),
    { numRuns: 1000 },
  )
})

test('an address of six numbers stands in brackets', () => {
  expect(connectionUri({ ...server, host: '2001:db8::1' })).toContain('@[2001:db8::1]:54322/')
})

test('psql gets words that a shell leaves alone', () => {
  const hostile: Server = { ...server, database: `it's; rm -rf $HOME`, user: 'a b' }
  expect(codeOf('psql', hostile)).toBe(
    String.raw`psql -h db.example.com -p 54322 -d 'it'\''s; rm -rf $HOME' -U 'a b'`,
  )
})

test('where SSL is enforced every string says so, in the words of its driver', () => {
  const enforced: Server = { ...server, sslEnforced: true }
  for (const { id, files } of stringTypes) {
    const text = files(enforced)
      .map(({ code }) => code)
      .join('\n')
    expect([id, /sslmode=require|SSL Mode=Require/.test(text)]).toEqual([id, true])
    const plain = files(server)
      .map(({ code }) => code)
      .join('\n')
    expect([id, /ssl/i.test(plain)]).toEqual([id, false])
  }
  expect(codeOf('psql', enforced)).toBe(
    "psql -h db.example.com -p 54322 -d 'dbname=postgres sslmode=require' -U postgres",
  )
  // The driver of Node encrypts, and does not look for an authority that it was not given.
  const url = codeOf('nodejs', enforced, '.env').replace('DATABASE_URL=', '')
  expect(new Client({ connectionString: url })).toMatchObject({
    ssl: { rejectUnauthorized: false },
  })
})
