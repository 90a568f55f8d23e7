import { types } from 'pg'
import type { IpRange } from '#kit/network/ip-ranges'
import { Client } from '#kit/postgres/client'
import type { VaultKeysOf } from '../provider.ts'
import { admin, customer, service, specOf, testRef, type Login } from './conformance-project.ts'
import { localHarness } from './local.ts'

type Row = Record<string, unknown>

/** Tests count to small numbers only, which int8 may be too. */
const smallNumbers = {
  getTypeParser: (oid: number) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid)),
}

/** A project that runs, and sessions of its owner and of others in it. */
export async function ownedProject(
  more: { vaultKeys?: VaultKeysOf; reach?: readonly IpRange[] } = {},
) {
  const harness = await localHarness({ spares: 0, ...more })
  await harness.provider.prepare()
  const ref = testRef()
  const at = await harness.provider.create(specOf(ref))
  const clients: Client[] = []
  const connectionOf = ({ role: user, password }: Login) => ({
    host: at.socketDir,
    port: at.port,
    user,
    password,
    database: 'postgres',
  })
  async function session(login: Login): Promise<Client> {
    const client = new Client({ ...connectionOf(login), types: smallNumbers })
    await client.connect()
    clients.push(client)
    return client
  }
  const owner = await session(customer(ref))
  /** Ends all sessions. */
  const end = async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()))
  }
  return {
    at,
    ref,
    provider: harness.provider,
    /** Its folder. */
    folder: harness.folder(ref),
    /** How the owner connects, for another program. */
    connection: connectionOf(customer(ref)),
    /** Another session of the owner. */
    session: () => session(customer(ref)),
    as: (login: Login) => session(login),
    logins: {
      admin: admin(ref),
      service: (role: string) => service(ref, role),
    },
    rows: async (sql: string, values?: unknown[]): Promise<Row[]> =>
      (await owner.query<Row>(sql, values)).rows,
    end,
    close: async () => {
      await end()
      await harness.close()
    },
  }
}
