import { databasePassword as api } from '#contract/database/database-password'
import { implement } from '#kit/http'
import type { createDatabasePassword } from './database-password.ts'

export const databasePasswordRoutes = (passwords: ReturnType<typeof createDatabasePassword>) => [
  implement(api.set, ({ ref, password }, caller, origin) =>
    passwords.set(caller, ref, password, origin),
  ),
]
