import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startNameServer } from '#kit/testing/name-server'
import { issue, loadAuthority } from '#data-plane/postgres-gateway/tls/authority'
import { readConfig } from '#kit/config'
import { newFolder, saidOf, settingsWith } from '../testing/doctor/doctor.ts'
import { lookAtCertificates } from './certificates.ts'
import { clockFinding, linesOf, sayAbout } from './finding.ts'
import { runDoctor } from './run.ts'

test('wrong words are not understood, and help is given', async () => {
  expect(await runDoctor(['doctor', '--loud'], settingsWith())).toMatchObject({ code: 2 })
  const { text, code } = await runDoctor(['--help'], settingsWith())
  expect([code, text.split('\n')[0]]).toEqual([0, 'usage: plinth doctor [--json]'])
})

test('settings that cannot be read are named, each in a line, and end it with 1', async () => {
  const wrong = { PORT: 'x', PLINTH_RATE_LIMIT: '0', PLINTH_HOUSE: '/srv' }
  const { text, code } = await runDoctor([], settingsWith(wrong))
  expect(code).toBe(1)
  const lines = text.split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^warn {2}settings {2}PLINTH_HOUSE is not a setting .*PLINTH_HOME/)
  expect(lines[1]).toMatch(/^fail {2}settings {2}PORT: .* -> see docs\/settings\.md$/)
  expect(lines[2]).toMatch(/^fail {2}settings {2}PLINTH_RATE_LIMIT: /)
})

test('where nothing is configured only what always is gets looked at, and nothing stays', async () => {
  const settings = settingsWith()
  const { text, code } = await runDoctor(['--json'], settings)
  const { ok, findings } = JSON.parse(text) as { ok: boolean; findings: { about: string }[] }
  expect([ok, code]).toEqual([true, 0])
  expect(findings.map(({ about }) => about)).toEqual(['settings', 'folders', 'disk', 'ports'])
  expect(existsSync(settings['PLINTH_HOME'] ?? '')).toBe(false)
})

test('a file in the place of a folder, and what cannot be read, is found', async () => {
  const { folder, write } = newFolder()
  const file = write('file', '')
  expect(
    await saidOf('folders', {
      PLINTH_HOME: file,
      PLINTH_BACKUPS: join(file, 'backups'),
      PLINTH_STORAGE: join(folder, 'storage'),
      PLINTH_DOCUMENTS: join(folder, 'documents'),
      PLINTH_POSTGRES_DIR: join(folder, 'postgres'),
    }),
  ).toEqual([
    `fail PLINTH_HOME: ${file} is a file, not a folder -> name another folder`,
    `fail PLINTH_BACKUPS: ${file} is a file, not a folder -> name another folder`,
    `ok PLINTH_STORAGE: ${join(folder, 'storage')} can be made`,
    expect.stringMatching(/^fail PLINTH_DOCUMENTS: .*ENOENT/),
    expect.stringMatching(/^fail PLINTH_POSTGRES_DIR: .* -> name the folder of a PostgreSQL 17$/),
  ])
})

test('an address that is not of this machine is found, and so is a key that protects nothing', async () => {
  const said = await saidOf('ports', { HOST: '192.0.2.1', PLINTH_MASTER_KEY: '0'.repeat(64) })
  expect(said).toEqual([
    expect.stringMatching(/^fail PLINTH_MASTER_KEY/),
    'fail HOST: 192.0.2.1 is not an address of this machine -> change that setting',
  ])
})

test('names by which people come have to be in the DNS', async () => {
  const server = await startNameServer()
  try {
    server.records.set('plinth.example.com', { A: '192.0.2.7' })
    const settings = {
      PLINTH_DNS_SERVERS: server.address,
      PLINTH_URL: 'https://plinth.example.com',
      PLINTH_PROJECT_URL: 'https://{ref}.api.example.com',
    }
    expect(await saidOf('names', settings)).toEqual([
      'ok PLINTH_URL: plinth.example.com leads to 192.0.2.7',
      expect.stringMatching(
        /^fail PLINTH_PROJECT_URL: \*\.api\.example\.com leads nowhere \(.*ENOTFOUND.*\) -> add a record for \*\.api\.example\.com$/,
      ),
    ])
    server.records.set('abcdefghijklmnopqrst.api.example.com', { A: '192.0.2.7' })
    expect((await saidOf('names', settings))[1]).toBe(
      'ok PLINTH_PROJECT_URL: *.api.example.com leads to 192.0.2.7',
    )
    // Names of this machine are asked for nowhere.
    const before = server.state.asked
    expect(
      await saidOf('names', { ...settings, PLINTH_URL: 'http://localhost:8000' }),
    ).toHaveLength(1)
    expect(server.state.asked - before).toBe(2)
  } finally {
    await server.close()
  }
})

test("an operator's certificate has to be valid, with its own key, for a name by which clients come", async () => {
  const { folder, write } = newFolder()
  const authority = await loadAuthority(join(folder, 'authority.pem'))
  const now = Date.now()
  const one = await issue(authority, ['api.example.com'], 60, now)
  const other = await issue(authority, ['api.example.com'], 60, now)
  const files = {
    PLINTH_DATABASE_CERTIFICATE: write('server.crt', one.certificate),
    PLINTH_DATABASE_KEY: write('server.key', one.key),
    PLINTH_PROJECT_URL: 'https://api.example.com/{ref}',
  }
  const config = readConfig(settingsWith(files))
  const days = 86_400_000
  const at = async (when: number, from = config) =>
    (await lookAtCertificates(from, when)).map(({ state, says }) => `${state} ${says}`)
  const name = 'PLINTH_DATABASE_CERTIFICATE'
  expect(await at(now + 1000)).toEqual([`ok ${name}: valid for 59 days, with its key`])
  expect(await at(now + 49.5 * days)).toEqual([`warn ${name}: ends in 10 days`])
  expect(await at(now + 61 * days)).toEqual([
    expect.stringMatching(new RegExp(`^fail ${name}: not valid since `)),
  ])
  expect(await at(now - 30 * days)).toEqual([
    expect.stringMatching(new RegExp(`^fail ${name}: not valid before `)),
  ])
  write('server.key', other.key)
  expect(await at(now)).toEqual([`fail ${name}: PLINTH_DATABASE_KEY is the key of another one`])
  write('server.key', 'none')
  expect(await at(now)).toEqual([
    expect.stringMatching(new RegExp(`^fail ${name} and its key cannot be used: `)),
  ])
  write('server.key', one.key)
  const elsewhere = readConfig(
    settingsWith({ ...files, PLINTH_PROJECT_URL: 'https://else.example.org/{ref}' }),
  )
  expect(await at(now, elsewhere)).toEqual([
    expect.stringMatching(new RegExp(`^warn ${name}: it is for none of .*else\\.example\\.org`)),
  ])
})

test('each name at the HTTPS port has to be proved by files or by an authority', async () => {
  const { folder, write } = newFolder()
  const authority = await loadAuthority(join(folder, 'authority.pem'))
  const now = Date.now()
  const one = await issue(authority, ['plinth.example.com'], 60, now)
  const files = {
    PLINTH_HTTPS_CERTIFICATE: write('https.crt', one.certificate),
    PLINTH_HTTPS_KEY: write('https.key', one.key),
  }
  const acme = {
    PLINTH_ACME_DIRECTORY: 'https://acme.example.com/directory',
    PLINTH_ACME_TERMS: 'agreed',
    PLINTH_HTTP_CHALLENGE_PORT: '8080',
  }
  const said = async (more: Record<string, string>) => {
    const config = readConfig(
      settingsWith({
        PLINTH_HTTPS_PORT: '8443',
        PLINTH_URL: 'https://plinth.example.com',
        PLINTH_PROJECT_URL: 'https://api.example.com/{ref}',
        ...more,
      }),
    )
    return (await lookAtCertificates(config, now + 1000)).map(
      ({ state, says }) => `${state} ${says}`,
    )
  }
  const valid = 'ok PLINTH_HTTPS_CERTIFICATE: valid for 59 days, with its key'
  const ordered = `Plinth gets a certificate at ${acme.PLINTH_ACME_DIRECTORY}`
  expect(await said({})).toEqual(['fail nothing proves plinth.example.com and api.example.com'])
  expect(await said(files)).toEqual([valid, 'fail nothing proves api.example.com'])
  expect(await said({ ...files, ...acme })).toEqual([valid, `ok api.example.com: ${ordered}`])
  expect(await said({ ...acme, PLINTH_HTTP_CHALLENGE_PORT: '' })).toEqual([
    'warn certificate authorities ask at port 80, where Plinth does not listen',
    `ok plinth.example.com and api.example.com: ${ordered}`,
  ])
  expect(await said({ ...acme, PLINTH_PROJECT_URL: 'https://{ref}.example.com' })).toEqual([
    'fail nothing proves *.example.com, which no authority gives by HTTP-01',
    `ok plinth.example.com: ${ordered}`,
  ])
  expect(
    await said({ PLINTH_HTTPS_CERTIFICATE: '/nowhere', PLINTH_HTTPS_KEY: '/nowhere' }),
  ).toEqual([expect.stringMatching(/^fail PLINTH_HTTPS_CERTIFICATE and its key cannot be used: /)])
})

test('clocks may differ by as much as the way of a question takes, and not by a minute', () => {
  const state = (ms: number) => clockFinding(sayAbout('clock'), 'the database', ms).state
  expect([0, 1900, -1900, 2100, -59_000, 61_000, -61_000].map(state)).toEqual([
    'ok',
    'ok',
    'ok',
    'warn',
    'warn',
    'fail',
    'fail',
  ])
})

test('a finding is one line, whatever somebody else has said', () => {
  const says = 'refused:\n  by\n    it'
  expect(linesOf([{ about: 'bucket', state: 'fail', says, todo: 'look' }])).toEqual([
    'fail  bucket  refused: by it -> look',
  ])
})
