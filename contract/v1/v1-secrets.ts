import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const name = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and underscores')
  .refine((text) => !text.startsWith('SUPABASE_'), 'must not start with SUPABASE_')

/** Secrets for what a project runs. Values go in and never come out: programs compare their digests. */
export const v1Secrets = {
  secrets: endpoint('v1.secrets', 'GET /v1/projects/:ref/secrets', {
    needs: inProject('functions:Secret:Read', '*'),
    input: ByRef,
    returns: z.array(
      z.object({
        name: z.string(),
        /** A digest, the same as long as the secret is the same. */
        value: z.string(),
        updated_at: Instant,
      }),
    ),
  }),
  /** Makes those that are new and replaces the others. */
  setSecrets: endpoint('v1.setSecrets', 'POST /v1/projects/:ref/secrets', {
    needs: inProject('functions:Secret:Write', '*'),
    status: 201,
    listBody: 'secrets',
    input: ByRef.extend({
      secrets: z
        .array(z.object({ name, value: z.string().max(24_576) }))
        .min(1)
        .max(100),
    }),
    returns: z.object({}),
  }),
  removeSecrets: endpoint('v1.removeSecrets', 'DELETE /v1/projects/:ref/secrets', {
    needs: inProject('functions:Secret:Write', '*'),
    listBody: 'names',
    input: ByRef.extend({
      /** In the query they are joined by commas. */
      names: z.preprocess(
        (value) => (typeof value === 'string' ? value.split(',') : value),
        z.array(z.string().max(256)).min(1).max(100),
      ),
    }),
    returns: z.object({}),
  }),
}
