import { dataPlaneApi } from '#contract/data-plane-api'
import { quoteLiteral } from '#contract/ddl/sql-text'
import type { DataPlane } from '../../data-plane/client.ts'

/** Through the data plane, in a session that is the owner already: so it works whatever the old password is. */
export const createApply =
  (dataPlane: DataPlane) =>
  async (ref: string, verifier: string): Promise<void> => {
    await dataPlane.ask(dataPlaneApi.query, {
      params: { ref },
      login: 'postgres',
      as: 'plinth-password',
      body: { query: `alter role current_user password ${quoteLiteral(verifier)}` },
    })
  }
