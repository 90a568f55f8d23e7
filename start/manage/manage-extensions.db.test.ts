import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '#control-plane/testing/control-plane'
import { startWorld, type World } from '#control-plane/testing/world'
import { listenLocally } from '#kit/network/local-socket'
import { sqlExtension, writeTree } from '#kit/testing/extension-tree'
import { manage } from './manage-run.ts'

let world: World
let home: string
let stop: () => Promise<void>
let folder: string
beforeAll(async () => {
  world = await startWorld()
  home = world.control.home
  stop = await listenLocally(world.control.app, home)
  folder = join(home, 'greets')
  await writeTree(folder, sqlExtension('greets', 'superuser = false\n'))
})
afterAll(async () => {
  await stop()
  await world.end()
})

async function run(words: string, environment: Record<string, string> = { PLINTH_HOME: home }) {
  const out: string[] = []
  const complaints: string[] = []
  const code = await manage(words.split(' '), {
    environment,
    say: (line) => out.push(line),
    complain: (line) => complaints.push(line),
    browse: () => undefined,
  })
  return { code, out: out.join('\n'), complaints: complaints.join('\n') }
}
async function pgMeta(method: 'GET' | 'POST', path: string, body?: object) {
  const { body: project } = await world.ada.call('GET', `/platform/projects/${world.ref}`)
  const headers = { 'x-connection-encrypted': String(project['connectionString']) }
  return world.ada.call(method, `/platform/pg-meta/${world.ref}/${path}`, body, headers)
}
const sql = (query: string) => pgMeta('POST', 'query', { query })
const statusOf = async () =>
  (await world.ada.call('GET', `/platform/projects/${world.ref}/status`)).body['status']

test.each([
  ['extensions add', 2, 'missing FILE.deb or FOLDER'],
  ['extensions add /nowhere', 1, 'there is no /nowhere'],
  ['extensions add /etc/passwd', 1, 'it is no Debian package'],
  ['extensions add / --lines 3', 2, 'does not take --lines'],
  ['extensions remove', 2, 'missing NAME'],
  ['extensions remove greets', 1, 'there is no build greets'],
  ['extensions list --as ada@example.com', 2, 'builds are files in PLINTH_HOME'],
  ['extensions list --token abc', 2, 'builds are files in PLINTH_HOME'],
])('plinth %s ends with %i', async (words, code, complaint) => {
  const refused = await run(words)
  expect(refused).toMatchObject({ code, out: '' })
  expect(refused.complaints).toContain(complaint)
})

test('what projects use is for whoever runs the platform alone', async () => {
  const ask = (token: string) =>
    world.control.app.inject({
      method: 'GET',
      url: '/internal/extension-use',
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await ask('nonsense')).statusCode).toBe(401)
  expect((await world.ada.call('GET', '/internal/extension-use')).status).toBe(401)
  expect((await ask(internalToken)).json()).toMatchObject({
    projects: [{ ref: world.ref, name: 'Books', status: 'ACTIVE_HEALTHY', unknown: null }],
  })
})

test('a project is restarted for whoever runs the platform, and not while it is busy', async () => {
  const restart = (ref: string, token = internalToken) =>
    world.control.app.inject({
      method: 'POST',
      url: `/internal/extension-use/${ref}/restart`,
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await restart(world.ref, 'nonsense')).statusCode).toBe(401)
  expect((await restart('abcdefghijklmnopqrst')).statusCode).toBe(404)
  expect((await restart('x')).statusCode).toBe(400)
  expect((await restart(world.ref)).json()).toEqual({ status: 'RESTARTING' })
  expect((await restart(world.ref)).json()).toMatchObject({ code: 'project_busy' })
  await expect.poll(statusOf).toBe('ACTIVE_HEALTHY')
})

test('a build is added, seen after a restart, and kept while a project uses it', async () => {
  expect(await run('extensions list')).toMatchObject({
    code: 0,
    out: expect.stringContaining('no builds'),
  })
  const added = await run(`extensions add ${folder}`)
  expect(added).toMatchObject({ code: 0, complaints: '' })
  expect(added.out).toContain(`${world.ref}  Books`)
  expect(added.out).toContain('--restart')
  expect((await sql('create extension greets')).status).toBe(400)

  const again = await run(`extensions add ${folder} --restart --json`)
  expect(JSON.parse(again.out)).toMatchObject({ name: 'greets', restarting: [world.ref] })
  await expect.poll(statusOf).toBe('ACTIVE_HEALTHY')
  await expect.poll(async () => (await sql('create extension greets')).status).toBeLessThan(300)
  const listed = await pgMeta('GET', 'extensions')
  expect(listed.body).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'greets', installed_version: '1.1', may_change: true }),
    ]),
  )

  const used = await run('extensions remove greets')
  expect(used).toMatchObject({ code: 1, out: '' })
  expect(used.complaints).toContain(`greets is used by Books (${world.ref})`)
  expect((await run('extensions remove greets --force')).code).toBe(1)

  // In a database beside it that the owner has made it may be, too: nobody looks there.
  await sql('drop extension greets')
  await sql('create database other')
  const unknown = await run('extensions remove greets')
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.complaints).toContain('it has further databases: other')
  await sql('drop database other')
  expect(await run('extensions remove greets')).toMatchObject({ code: 0, complaints: '' })
  expect(await readdir(join(home, 'extensions'))).toEqual([])
})

test('while a project is paused nobody knows, and the operator decides', async () => {
  expect((await run(`extensions add ${folder}`)).code).toBe(0)
  await world.ada.call('POST', `/platform/projects/${world.ref}/pause`)
  await expect.poll(statusOf).toBe('INACTIVE')
  const unknown = await run('extensions remove greets')
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.complaints).toContain(`Books (${world.ref}): it does not run`)
  expect(await run('extensions remove greets --force')).toMatchObject({ code: 0, complaints: '' })
})
