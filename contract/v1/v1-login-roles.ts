import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const path = '/v1/projects/:ref/cli/login-role' as const

/** Logins for a while, for programs that have a token and no password of the database. */
export const v1LoginRoles = {
  createLoginRole: endpoint('v1.createLoginRole', `POST ${path}`, {
    needs: inProject('tenant:Sql:Query', '*'),
    perMinute: 60,
    status: 201,
    input: z.object({
      ref: ProjectRef,
      /** One that can change nothing. A caller who may only read is refused any other. */
      read_only: z.boolean().default(false),
    }),
    /** Whoever asks next gets another password, and this one is good no more. */
    returns: z.object({
      role: z.string().min(1),
      password: z.string().min(1),
      ttl_seconds: z.number().int().positive(),
    }),
  }),
  /** Nobody can sign in with them any more, and who is connected by them is cut off. */
  removeLoginRoles: endpoint('v1.removeLoginRoles', `DELETE ${path}`, {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    perMinute: 60,
    input: z.object({ ref: ProjectRef }),
    returns: z.object({ message: z.literal('ok') }),
  }),
}
