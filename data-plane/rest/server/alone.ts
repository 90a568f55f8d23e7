import type { Log } from '#kit/log'
import type { Database } from '../database.ts'
import type { Rest } from '../rest.ts'
import type { Schema } from '../catalog/schema.ts'
import { createSchemaCache } from '../catalog/schema-cache.ts'
import { readServerSettings, SettingError } from './server-settings.ts'
import type { ServerSettings, SettingValues } from './server-settings.ts'
import { settingsInDatabase } from './settings-in-database.ts'

export type AloneRest = {
  rest: Rest
  /** What holds now: what the operator gave, and above it what the database itself says. */
  settings(): ServerSettings
  /** What `settings` answers changes with each call of the listener. */
  onChange(listener: () => void): void
}

/**
 * The data API of one database that belongs to no project. Its settings are read anew with the schema, since the same
 * notices tell of both. @throws SettingError when what the operator gave is wrong
 */
export function createAloneRest(database: Database, given: SettingValues, log: Log): AloneRest {
  const listeners = new Set<() => void>()
  let now = readServerSettings(given)
  const { fromDatabase, preConfig } = now
  let remembered: Schema | undefined

  async function configure() {
    if (fromDatabase) take(await settingsInDatabase(database, preConfig, log))
    return { schemas: now.schemas, options: now.options }
  }

  /** What cannot be used leaves everything as it was. */
  function take(own: SettingValues): void {
    try {
      now = readServerSettings(new Map([...given, ...own]))
      for (const listener of listeners) listener()
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      log.error({ err: error }, 'The settings in the database cannot be used')
    }
  }

  const memory = { get: () => remembered, set: (schema: Schema) => (remembered = schema) }
  const cache = createSchemaCache(database, configure, log, memory, now.channel ?? null)
  const rest: Rest = {
    database,
    cache,
    get settings() {
      return {
        exposedSchemas: now.schemas,
        extraSearchPath: now.extraSearchPath,
        maxRows: Infinity,
        anonRole: now.anonRole,
        everyRequest: now.everyRequest,
      }
    },
    log,
  }
  return { rest, settings: () => now, onChange: (listener) => void listeners.add(listener) }
}
