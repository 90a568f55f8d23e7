import { quoteLiteral } from '#contract/ddl/sql-text'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'

type Deps = { dataPlaneUrl: string; internalToken: string; log: Log }

const longestWaitMs = 15_000

/** Through the data plane, in a session that is the owner already: so it works whatever the old password is. */
export const createApply =
  ({ dataPlaneUrl, internalToken, log }: Deps) =>
  async (ref: string, verifier: string): Promise<void> => {
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${ref}/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${internalToken}`,
        'content-type': 'application/json',
        'x-plinth-login': 'postgres',
        'x-pg-application-name': 'plinth-password',
      },
      body: JSON.stringify({ query: `alter role current_user password ${quoteLiteral(verifier)}` }),
      signal: AbortSignal.timeout(longestWaitMs),
    }).catch((error: unknown) => {
      log.warn({ err: error, project: ref }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    const body = await response.text()
    if (response.ok) return
    // read_only_sql_transaction: the organization may only read until it has paid.
    if (body.includes('"25006"')) throw new ApiError('organization_restricted')
    throw new ApiError(response.status === 404 ? 'project_not_found' : 'project_unreachable')
  }
