import type { Log } from '#kit/log'
import { Lru } from '#kit/lru'
import type { ProjectDatabase } from './database.ts'
import type { ServingSettings } from './incoming.ts'
import type { Rest } from './rest.ts'
import type { Schema } from './schema.ts'
import { createSchemaCache } from './schema-cache.ts'

/** Schemas of closed projects that are kept; one of a hundred tables takes about 200 kB. */
const rememberedSchemas = 100

/**
 * One schema cache, and so one listening connection, for each open database, whichever service asks. The same `database`
 * object stands for the project as long as it is open.
 */
export function createRests(log: Log) {
  const opened = new WeakMap<ProjectDatabase, Rest>()
  const remembered = new Lru<Schema>(rememberedSchemas)

  function of(database: ProjectDatabase, settings: ServingSettings): Rest {
    const found = opened.get(database)
    if (found) return found
    const schemas = [...settings.exposedSchemas]
    // The same database again, such as after a pause: what was known of it serves until it is read anew.
    const { host, port, name } = database.connection.database
    const key = JSON.stringify([database.connection.ref, host, port, name, schemas])
    const memory = {
      get: () => remembered.get(key),
      set: (schema: Schema) => remembered.set(key, schema),
    }
    const cache = createSchemaCache(database, schemas, log, memory)
    const rest = { database, cache, settings, log }
    opened.set(database, rest)
    return rest
  }
  return { of }
}

export type Rests = ReturnType<typeof createRests>
