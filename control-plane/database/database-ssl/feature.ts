import { dataPlaneApi } from '#contract/data-plane-api'
import { databaseSsl as api, type SslEnforcement } from '#contract/database/database-ssl'
import type { DatabasePortState } from '#contract/internal-api'
import { ApiError } from '#kit/errors'
import { implement, implementRaw, type Caller, type Origin } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { databaseSslStore } from './store.ts'

type Needs = {
  /** Has the ports of databases go by what rows say now. Rejects where nobody answers. */
  tellPorts: () => Promise<DatabasePortState[]>
}

/** Which databases take encrypted connections only, and the certificate by which clients know the server. */
export function databaseSslFeature(
  { db, audited, compute, dataPlane, log }: Platform,
  { tellPorts }: Needs,
) {
  const store = databaseSslStore(db)
  const isOurs = compute.setNetworks !== undefined
  const nothing = { offered: false, authority: null }
  /** @throws ApiError when the data plane does not answer */
  const encryption = async () =>
    isOurs ? dataPlane.ask(dataPlaneApi.databaseCertificate, {}) : nothing

  async function isEnforced(ref: string): Promise<boolean> {
    const enforced = await store.isEnforced(ref)
    if (enforced === undefined) throw new ApiError('project_not_found')
    return enforced
  }
  /** Whether whoever takes the connections of a project knows that. One that takes none has nothing to know. */
  async function isApplied(ref: string, enforced: boolean): Promise<boolean> {
    if (!isOurs) return true
    try {
      const state = (await tellPorts()).find((one) => one.ref === ref)
      return state === undefined || state.ssl_enforced === enforced
    } catch (error) {
      log.warn({ err: error, ref }, 'Nobody tells whether connections have to be encrypted yet')
      return false
    }
  }
  async function enforcement(ref: string): Promise<SslEnforcement> {
    const enforced = await isEnforced(ref)
    return {
      currentConfig: { database: enforced },
      appliedSuccessfully: await isApplied(ref, enforced),
    }
  }
  async function enforce(caller: Caller, ref: string, enforced: boolean, origin: Origin) {
    if (enforced && !(await encryption()).offered)
      throw new ApiError('invalid_input', 'Databases on this installation do not support SSL')
    await audited({ caller, ref, origin }, 'v1.updateSsl', async (tx, project) => {
      const { ssl_enforced: before } = project
      if (before === enforced) return {}
      await store.enforce(tx, ref, enforced)
      return { change: { before: { ssl_enforced: before }, after: { ssl_enforced: enforced } } }
    })
    return enforcement(ref)
  }

  return {
    isEnforced,
    routes: [
      implement(api.get, async ({ ref }) => {
        const enforced = await isEnforced(ref)
        const { offered, authority } = await encryption()
        return { offered, enforced, certificate: authority !== null }
      }),
      implementRaw(api.certificate, async (_input, _caller, { reply }) => {
        const { authority } = await encryption()
        if (authority === null)
          throw new ApiError('not_found', 'This installation has no certificate for databases')
        return reply
          .header('content-type', 'application/x-pem-file')
          .header('content-disposition', 'attachment; filename="database-ca.crt"')
          .send(authority)
      }),
      implement(api.enforcement, ({ ref }) => enforcement(ref)),
      implement(api.enforce, ({ ref, requestedConfig }, caller, origin) =>
        enforce(caller, ref, requestedConfig.database, origin),
      ),
    ],
  }
}
