import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Named } from '../database/pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

/** Longest claims as JSON, in characters; a real token's are far shorter. */
const longestClaims = 50_000

/**
 * Whom SQL runs as instead of the database's owner: a role, and the claims of the token it would have come with. Only
 * who may become the role anyway is let to (Postgres decides), so nobody gains a right by it.
 */
export const As = z.object({
  /** `none` cannot be a role's name: Postgres would take it for "nobody in particular". */
  role: Named.refine((role) => role !== 'none', 'There is no role "none"'),
  claims: z
    .record(z.string(), z.unknown())
    .default({})
    .refine(
      (claims) => JSON.stringify(claims).length <= longestClaims,
      `Claims have at most ${longestClaims} characters`,
    ),
})
export type As = z.infer<typeof As>

/** What a request of the data API looks like to SQL, beside its claims (facts §10). */
export const requestSettings = {
  method: 'POST',
  path: '/impersonation-example-request-path',
  headers: { accept: '*/*' },
} as const

/** A user of the project's auth service, with what their token would say of them. */
export const ProjectUser = z.object({
  id: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  is_anonymous: z.boolean(),
  app_metadata: z.record(z.string(), z.unknown()),
  user_metadata: z.record(z.string(), z.unknown()),
})
export type ProjectUser = z.infer<typeof ProjectUser>

export const impersonation = {
  /** Newest first. `search` is looked for in address, phone number and id. Needs what running as a role needs. */
  users: endpoint('impersonation.users', 'GET /platform/pg-meta/:ref/impersonation/users', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: z.object({
      ref,
      search: z.string().max(200).default(''),
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** `next` of the page before. */
      cursor: z.string().max(200).optional(),
    }),
    returns: z.object({ users: z.array(ProjectUser), next: z.string().nullable() }),
  }),
}
