import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

export const databasePassword = {
  /** Of the login `postgres`. Connections that are open stay; the platform's own services have logins of their own. */
  set: endpoint('database-password.set', 'PATCH /platform/projects/:ref/db-password', {
    needs: inProject('write:Update', 'projects'),
    perMinute: 20,
    input: z.object({
      ref: ProjectRef,
      /** 99 characters at most (requirements §5). */
      password: z
        .string()
        .min(1)
        .max(99, 'Password should be less than 100 characters')
        .refine((text) => !text.includes('\0'), 'A password cannot contain a NUL character'),
    }),
    returns: z.object({ ref: z.string() }),
  }),
}
