import type { Client } from 'pg'
import type { OpenProject } from '../projects/open-project.ts'

/** A database, as the data API needs it. The same object stands for it as long as it is open. */
export type Database = Pick<OpenProject, 'run' | 'dedicated' | 'onClose' | 'closed'> &
  Partial<Pick<OpenProject, 'runOnReplica'>>

/** A project's own. */
export type ProjectDatabase = Database & Pick<OpenProject, 'connection' | 'limitConnections'>

/** The login that may read the catalogs and belongs to no request. */
export const catalogRole = 'authenticator'

/** The same database for somebody who goes before it is closed: to them it is closed then, and what listened for them has ended. */
export function mortal(database: Database): { database: Database; end: () => void } {
  const listening = new Set<Client>()
  let isOver = false
  const leave = (client: Client) =>
    void client.end().catch(() => client.connection.stream.destroy())
  return {
    database: {
      run: (...asked) => database.run(...asked),
      async dedicated(login) {
        const client = await database.dedicated(login)
        if (isOver) leave(client)
        listening.add(client)
        client.once('end', () => listening.delete(client))
        return client
      },
      onClose: (listener) => database.onClose(listener),
      get closed() {
        return isOver || database.closed
      },
    },
    end() {
      isOver = true
      for (const client of listening) leave(client)
    },
  }
}
