import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome } from '#compute/testing/home'
import { issue, loadAuthority } from '#data-plane/postgres-gateway/tls/authority'
import { initCluster } from '#kit/postgres/cluster'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { startServer, stopServer } from '#kit/postgres/server'
import { freePort } from '#kit/testing/free-port'
import { renderingOf } from './renderings.ts'
import { saidOf } from '../../start/testing/doctor/doctor.ts'

/** The address of the database as the chart writes it, with another place in it, and the file with the authority. */
function urlInChart(place: string, authority: string): string {
  const text = JSON.stringify(renderingOf('small'))
  const url = /"(postgresql:[^"]*)"/.exec(text)?.[1] ?? ''
  return url
    .replace('$(DATABASE_USER):$(DATABASE_PASSWORD)@plinth-database-rw:5432/plinth', place)
    .replace('/etc/plinth/database/ca.crt', authority)
}

test('the address that the chart writes enters a server whose authority is known, and no other', async () => {
  const { top, home, runtime } = await makeHome()
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const [dataDir, socketDir] = [join(runtime.clusters, 'encrypted'), join(runtime.sockets, 'e')]
  await mkdir(socketDir, { recursive: true })
  if (user) await chown(socketDir, user.uid, user.gid)
  const port = await freePort()
  const { binaries } = runtime
  await initCluster({ binaries, dataDir, superuser: 'a', password: 'b', noSync: true, user })
  const authority = await loadAuthority(join(home, 'authority.pem'))
  const own = await issue(authority, ['127.0.0.1'], 2, Date.now())
  const files = [
    ['server.crt', own.certificate, 0o600],
    ['server.key', own.key, 0o600],
    // Whoever asks for a connection in the clear is refused.
    ['pg_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\n', 0o600],
  ] as const
  for (const [name, text, mode] of files) {
    const path = join(dataDir, name)
    await writeFile(path, text, { mode })
    if (user) await chown(path, user.uid, user.gid)
  }
  const logFile = join(home, 'encrypted.log')
  const settings = { ssl: 'on' }
  await startServer({ binaries, dataDir, socketDir, port, tcp: true, settings, logFile, user })
  onTestFinished(async () => {
    await stopServer(dataDir)
  })
  const known = join(home, 'ca.crt')
  await writeFile(known, authority.certificate)
  const stranger = await loadAuthority(join(home, 'other.pem'))
  const unknown = join(home, 'other.crt')
  await writeFile(unknown, stranger.certificate)

  const place = `a:b@127.0.0.1:${port}/postgres`
  const look = (url: string) => saidOf('database', { PLATFORM_DATABASE_URL: url })
  expect((await look(urlInChart(place, known)))[0]).toBe(
    'ok postgres at 127.0.0.1 is PostgreSQL 17.10',
  )
  expect(await look(urlInChart(place, unknown))).toEqual([
    expect.stringMatching(/^fail .* cannot be entered: .*certificate/),
  ])
  expect(await look(`postgresql://${place}`)).toEqual([
    expect.stringMatching(/^fail .* cannot be entered: .*no encryption/),
  ])
})
