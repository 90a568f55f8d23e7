import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { service } from '#compute/testing/conformance-project'
import { createRestAlone } from '#data-plane/rest-alone'
import { readServerSettings } from '#data-plane/rest/server/server-settings'
import { startPeer } from '#data-plane/testing/rest/peer'
import { silentLog } from '#kit/log'
import { compare } from './parts/compare.ts'
import { httpLoad } from './parts/http-load.ts'
import {
  anyOf,
  authorCount,
  bookCount,
  booksSetup,
  claims,
  httpRequest,
  newNote,
} from './parts/rest-books.ts'
import { serve, token, withServedProject } from './parts/served-project.ts'

/**
 * The data API alone beside PostgREST 12.0.2, over one database with one login and the same settings, by the same
 * requests of a signed-in user. The ratio is of requests per second, the cpuRatio of processor time of one request, in
 * the server and in Postgres.
 */
const [connections, roundMs] = [8, 4000]

const authorization = { Authorization: `Bearer ${token(claims)}` }
const get = (path: string) => httpRequest('GET', path, authorization)
const requests: Record<string, () => string> = {
  key: () => get(`/books?select=id,title,pages&id=eq.${anyOf(bookCount)}`),
  insert: () => httpRequest('POST', '/notes', authorization, newNote()),
  embed: () => get(`/authors?select=name,books(id,title)&id=eq.${anyOf(authorCount)}`),
  list: () =>
    get(`/books?select=id,title,pages&id=gt.${anyOf(bookCount)}&pages=lt.450&order=id&limit=20`),
}

async function main(): Promise<void> {
  await withServedProject(booksSetup, async (project) => {
    const { at, connection } = project
    const { role, password } = service(connection.ref, 'authenticator')
    const settings = {
      'db-uri': `postgres://${role}:${password}@/postgres?host=${at.socketDir}&port=${at.port}`,
      'db-anon-role': 'anon',
      'db-extra-search-path': 'public,extensions',
      'db-config': 'false',
      'db-max-rows': '1000',
      'jwt-secret': connection.jwtSecret,
    }
    const own = fork(fileURLToPath(import.meta.url), ['alone'])
    own.send(settings)
    const [{ port }] = await once(own, 'message')
    const peer = await startPeer({
      ...settings,
      'jwt-cache-max-lifetime': '3600',
      'log-level': 'crit',
    })
    try {
      const [ours, theirs] = [port, Number(new URL(peer.url).port)].map((to) => ({
        host: '127.0.0.1',
        port: to,
      }))
      if (!ours || !theirs) throw new Error('Two servers were started')
      for (const [name, request] of Object.entries(requests)) {
        await compare(`rest-peer-${name}`, {
          ours: () => project.measure(own, () => httpLoad(ours, connections, roundMs, request)),
          baseline: () =>
            project.measure(peer, () => httpLoad(theirs, connections, roundMs, request)),
        })
      }
    } finally {
      own.kill()
      await peer.close()
    }
  })
}

/** The child: serves with the settings that its parent sends, until it is ended. */
function serveAlone(): void {
  process.once('message', (given: Record<string, string>) => {
    const values = new Map(Object.entries(given))
    const { app } = createRestAlone({
      values,
      settings: readServerSettings(values),
      log: silentLog,
    })
    void app.listen({ host: '127.0.0.1', port: 0 }).then(() => process.send?.(app.server.address()))
  })
}

if (process.argv[2] === 'serve') serve()
else if (process.argv[2] === 'alone') serveAlone()
else await main()
