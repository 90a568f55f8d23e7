import type { Log } from '#kit/log'
import { Lru } from '#kit/lru'
import { mortal, type ProjectDatabase } from './database.ts'
import type { ServingSettings } from './requests/incoming.ts'
import { projectSettings } from './server/project-settings.ts'
import type { Rest } from './rest.ts'
import type { Schema } from './catalog/schema.ts'
import { createSchemaCache, type SchemaEvent } from './catalog/schema-cache.ts'

/** Schemas of closed projects that are kept; one of a hundred tables takes about 200 kB. */
const rememberedSchemas = 100

/**
 * One schema cache, and so one listening connection, for each open database, whichever service asks. The same `database`
 * object stands for the project as long as it is open.
 */
export function createRests(log: Log, note?: (ref: string, event: SchemaEvent) => void) {
  const opened = new WeakMap<ProjectDatabase, { rest: Rest; end: () => void }>()
  const remembered = new Lru<{ schema: Schema; settings: ServingSettings }>(rememberedSchemas)

  /** `installed` is how it is served as far as its database does not say otherwise. */
  function of(database: ProjectDatabase, installed: ServingSettings): Rest {
    const found = opened.get(database)
    if (found) return found.rest
    // The same database again, such as after a pause: what was known of it serves until it is read anew.
    const { host, port, name } = database.connection.database
    const key = JSON.stringify([database.connection.ref, host, port, name, installed])
    let now = remembered.get(key)?.settings ?? installed
    const memory = {
      get: () => remembered.get(key)?.schema,
      set: (schema: Schema) => remembered.set(key, { schema, settings: now }),
    }
    /** The database's notices tell of its settings as of its schema, so both are read together. */
    async function configure() {
      now = await projectSettings(database, installed, log)
      return { schemas: now.exposedSchemas, options: undefined }
    }
    const told = note && ((event: SchemaEvent) => note(database.connection.ref, event))
    const life = mortal(database)
    const cache = createSchemaCache(life.database, configure, log, memory, undefined, told)
    const rest: Rest = {
      database,
      cache,
      get settings() {
        return now
      },
      log,
    }
    const end = () => {
      life.end()
      remembered.delete(key)
    }
    opened.set(database, { rest, end })
    return rest
  }
  return {
    of,
    /** Whoever asks next finds nothing that was known before: settings and schema are read again, and another connection listens. */
    restart(database: ProjectDatabase): void {
      opened.get(database)?.end()
      opened.delete(database)
    },
  }
}

export type Rests = ReturnType<typeof createRests>
