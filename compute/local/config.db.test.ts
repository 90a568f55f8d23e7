import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import type { DatabaseAddress, Provider } from '../provider.ts'
import { admin, ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

let harness: LocalHarness
let provider: Provider
let ref: string
let at: DatabaseAddress
beforeAll(async () => {
  harness = await localHarness()
  provider = harness.provider
  await provider.prepare()
  ref = testRef()
  at = await provider.create(specOf(ref))
})
afterAll(() => harness.close())

const inData = (name: string) => join(harness.folder(ref), 'data', name)
const show = async (name: string) => String(await ask(at, admin(ref), `show ${name}`))
/** Runs a line of shell as the user of the server, as whoever has broken out of it can; whether it succeeded. */
const succeeds = (line: string) =>
  ask(at, admin(ref), `copy (select 1) to program '${line}'`).then(
    () => true,
    () => false,
  )

test('the files that say who may come in are none of the data', async () => {
  for (const name of ['config_file', 'hba_file', 'ident_file']) {
    const file = await show(name)
    expect(file.startsWith(inData(''))).toBe(false)
    const owners = await Promise.all([file, dirname(file)].map((path) => stat(path)))
    for (const { uid, mode } of owners) {
      expect(uid).toBe(process.getuid?.())
      expect(mode & 0o022).toBe(0)
      expect(mode & 0o007).toBe(0)
    }
  }
})

test.runIf(runsAsRoot())('the user of a project cannot change its access rules', async () => {
  expect(await succeeds('cat >/dev/null; true')).toBe(true)
  for (const name of ['config_file', 'hba_file', 'ident_file']) {
    const file = await show(name)
    const before = await readFile(file, 'utf8')
    expect(await succeeds(`cat >/dev/null; cat ${file} >/dev/null`)).toBe(true)
    for (const attempt of [
      `cat >>${file}`,
      `rm -f ${file}`,
      `mv ${file} ${file}.old`,
      `mv ${dirname(file)} ${dirname(file)}.old`,
      `chmod 666 ${file}`,
      `touch ${dirname(file)}/new`,
    ])
      expect(await succeeds(attempt), attempt).toBe(false)
    expect(await readFile(file, 'utf8')).toBe(before)
  }
})

test('nobody sets a setting of the server from within', async () => {
  await expect(ask(at, admin(ref), "alter system set log_statement = 'all'")).rejects.toThrow(
    /ALTER SYSTEM/,
  )
})

test('what the tenant wrote into the old place is not heeded', async () => {
  const wide = 'local all all trust\nhost all all 0.0.0.0/0 trust\n'
  await writeFile(inData('pg_hba.conf'), wide)
  await writeFile(inData('postgresql.conf'), `hba_file = '${inData('pg_hba.conf')}'\n`)
  await writeFile(
    inData('postgresql.auto.conf'),
    `hba_file = '${inData('pg_hba.conf')}'\nconfig_file = '${inData('postgresql.conf')}'\n`,
  )
  await ask(at, admin(ref), 'select pg_reload_conf()')
  at = await provider.restart(ref)
  expect(await show('hba_file')).not.toContain('/data/')
  const wrong = { role: 'postgres', password: 'wrong' }
  await expect(ask(at, wrong, 'select 1')).rejects.toThrow(/authentication/)
  await writeFile(inData('postgresql.auto.conf'), '')
})

/** Puts a stopped project back to how earlier versions kept it. */
async function asBefore(rules: string, auto = ''): Promise<void> {
  await provider.stop(ref)
  await rm(join(harness.folder(ref), 'config'), { recursive: true })
  await rm(inData('pg_hba.conf'), { force: true })
  await writeFile(inData('pg_hba.conf'), rules)
  await writeFile(inData('postgresql.auto.conf'), auto)
}
const earlier = (...networks: string[]) =>
  [
    '# Written by the platform.',
    'local   all          all                            scram-sha-256',
    'host    all          supabase_admin  all            reject',
    ...networks.map((network) => `host    all          all             ${network}  scram-sha-256`),
    '',
  ].join('\n')

test('a project of an earlier version keeps its networks and that it is read only', async () => {
  await asBefore(earlier('10.0.0.0/8'), "default_transaction_read_only = 'on'\n")
  at = await provider.start(ref)
  expect(await readFile(await show('hba_file'), 'utf8')).toContain('10.0.0.0/8')
  expect(await ask(at, customer(ref), 'show transaction_read_only')).toBe('on')
  await provider.setReadOnly(ref, false)
  await provider.setNetworks?.(ref, null)
  at = await provider.restart(ref)
  expect(await ask(at, customer(ref), 'show transaction_read_only')).toBe('off')
})

test('networks of a project that has not been moved over yet are kept where it will be looked', async () => {
  await asBefore(earlier('127.0.0.1/32'))
  await provider.setNetworks?.(ref, [])
  at = await provider.start(ref)
  expect(await readFile(await show('hba_file'), 'utf8')).not.toMatch(/^host .*scram/m)
  await provider.setNetworks?.(ref, null)
})

test.each(['local all all trust\nhost all all 999.0.0.0/8 trust\n', undefined])(
  'of what somebody put in the place of earlier rules, nothing is taken: %s',
  async (rules) => {
    await asBefore(rules ?? '')
    if (rules === undefined) {
      await rm(inData('pg_hba.conf'))
      await symlink('/etc/passwd', inData('pg_hba.conf'))
    }
    at = await provider.start(ref)
    const wrong = { role: 'postgres', password: 'wrong' }
    await expect(ask(at, wrong, 'select 1')).rejects.toThrow(/authentication/)
    expect(await readFile(await show('hba_file'), 'utf8')).not.toMatch(/trust|999/)
    expect(await ask(at, customer(ref), 'select 1')).toBe(1)
  },
)
