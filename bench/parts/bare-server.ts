import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '#kit/postgres/client'
import { initCluster } from '#kit/postgres/cluster'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { preparePostgres } from '#kit/postgres/runtime'
import { startServer, stopServer } from '#kit/postgres/server'

/** Plain Postgres as anyone would start it: `initdb --no-sync`, default settings, no platform around it. */
export async function createBareServer(home: string, port: number) {
  const { binaries, clusters, sockets } = await preparePostgres(home)
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const [dataDir, socketDir] = [join(clusters, 'bare'), join(sockets, 'bare')]
  const login = { user: 'postgres', password: 'bare', database: 'postgres' }
  await mkdir(socketDir, { recursive: true })
  if (user) await chown(socketDir, user.uid, user.gid)
  return {
    dataDir,
    connection: { ...login, host: socketDir, port },
    async init(): Promise<void> {
      await rm(dataDir, { recursive: true, force: true })
      await initCluster({
        binaries,
        dataDir,
        superuser: login.user,
        password: login.password,
        noSync: true,
      })
    },
    async start(): Promise<void> {
      const logFile = join(home, 'bare.log')
      await startServer({ binaries, dataDir, socketDir, port, tcp: true, logFile, user })
    },
    async query(): Promise<void> {
      await withClient({ ...login, host: socketDir, port }, (client) => client.query('select 1'))
    },
    stop: () => stopServer(dataDir),
  }
}
