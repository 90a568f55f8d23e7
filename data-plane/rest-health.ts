import { createServer, type Server } from 'node:http'
import type { Log } from '#kit/log'
import { catalogRole } from './rest/database.ts'
import { loadedSchema, type Rest } from './rest/rest.ts'

const ping = { statements: [{ text: 'select 1', values: [] }] }

/**
 * What the admin port of the data API answers: `/live` while it runs, `/ready` once the schema is known and the database
 * answers, else 503. Nothing in it needs a token, so it tells no more than that.
 */
export function createHealth(rest: Rest, log: Log): Server {
  async function isReady(): Promise<boolean> {
    try {
      await loadedSchema(rest)
      await rest.database.run(catalogRole, ping)
      return true
    } catch (error) {
      log.warn({ err: error }, 'The data API is not ready')
      return false
    }
  }
  return createServer((request, response) => {
    const end = (status: number) => void response.writeHead(status).end()
    const [path] = (request.url ?? '/').split('?')
    if (request.method !== 'GET' && request.method !== 'HEAD') end(405)
    else if (path === '/live') end(200)
    else if (path === '/ready') void isReady().then((ready) => end(ready ? 200 : 503))
    else end(404)
  })
}
