import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const Ssl = z.object({
  currentConfig: z.object({ database: z.boolean() }),
  /** Whether whoever takes the connections goes by it already. */
  appliedSuccessfully: z.boolean(),
})
export type SslEnforcement = z.infer<typeof Ssl>

/** Encryption of connections to databases, at their own ports and at those of the pooler. */
export const databaseSsl = {
  get: endpoint('databaseSsl.get', 'GET /platform/projects/:ref/database-ssl', {
    needs: inProject('read:Read', 'ssl_enforcement'),
    input: ByRef,
    returns: z.object({
      /** Clients can encrypt their connections. */
      offered: z.boolean(),
      /** Others are refused. */
      enforced: z.boolean(),
      /** There is an authority to download, by which clients know the server. */
      certificate: z.boolean(),
    }),
  }),
  /** The authority's certificate, as PEM: the same for all projects, and no secret. */
  certificate: endpoint('databaseSsl.certificate', 'GET /platform/database-certificate', {
    needs: 'anyone',
    raw: true,
    perMinute: 60,
    input: z.object({}),
    returns: z.string(),
  }),
  enforcement: endpoint('v1.ssl', 'GET /v1/projects/:ref/ssl-enforcement', {
    needs: inProject('read:Read', 'ssl_enforcement'),
    input: ByRef,
    returns: Ssl,
  }),
  /** Holds for connections that begin from now on. */
  enforce: endpoint('v1.updateSsl', 'PUT /v1/projects/:ref/ssl-enforcement', {
    needs: inProject('write:Update', 'ssl_enforcement'),
    perMinute: 60,
    input: ByRef.extend({ requestedConfig: z.object({ database: z.boolean() }) }),
    returns: Ssl,
  }),
}
