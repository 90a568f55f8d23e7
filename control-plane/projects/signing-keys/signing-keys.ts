import { randomUUID } from 'node:crypto'
import type { Parsed } from '#contract/endpoint'
import type { ServedSigningKey } from '#contract/internal'
import {
  maxSigningKeys,
  signingKeyMoves,
  type PrivateJwk,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyStatus,
  type signingKeys as api,
} from '#contract/projects/signing-keys'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { jwkOfSecret, kidOfSecret, publicJwkOf } from '#kit/jwt-key-set'
import type { Secrets } from '#kit/secrets'
import type { Audited, By } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import { algorithmOf, newPrivateJwk, readPrivateJwk } from './private-jwk.ts'
import type { LockedProject } from '../../platform-database/lock-project.ts'
import type { SigningKeyRow, SigningKeyStore } from './store.ts'

type Deps = {
  store: SigningKeyStore
  secrets: Pick<Secrets, 'seal' | 'open'>
  audited: Audited
}
type Asked = { algorithm: SigningAlgorithm; private_jwk?: PrivateJwk | undefined }

/** A sealed key opens for its own row only. */
const identityOf = (id: string) => `signing key ${id}`

/** What signs the tokens of a project's users, from the first look at a key to the last. */
export function createSigningKeys({ store, secrets, audited }: Deps) {
  async function rowsOf(ref: string, tx?: Tx): Promise<SigningKeyRow[]> {
    const rows = await store.ofProject(ref, tx)
    // Every project has at least the key in use.
    if (rows.length === 0) throw new ApiError('project_not_found')
    return rows
  }
  function one(rows: readonly SigningKeyRow[], fits: (row: SigningKeyRow) => boolean) {
    const row = rows.find(fits)
    if (!row) throw new ApiError('signing_key_not_found')
    return row
  }

  /** Made, or brought along, before anything is locked: making an RSA key takes a while. */
  async function material({ algorithm, private_jwk }: Asked) {
    const id = randomUUID()
    const { jwk, kid = id } = private_jwk
      ? readPrivateJwk(algorithm, private_jwk)
      : { jwk: await newPrivateJwk(algorithm) }
    const public_jwk =
      algorithm === 'HS256' ? null : JSON.stringify(publicJwkOf({ kid, algorithm, jwk }))
    return {
      id,
      algorithm,
      kid,
      public_jwk,
      sealed_jwk: secrets.seal(JSON.stringify(jwk), identityOf(id)),
    }
  }

  /** `change` sees the keys as they are while nobody else changes them; what it returns is the audit entry's. */
  async function changing(
    by: By,
    action: string,
    change: (
      tx: Tx,
      project: LockedProject,
      rows: SigningKeyRow[],
    ) => Promise<{ row: SigningKeyRow; change?: Record<string, unknown> }>,
  ): Promise<SigningKey> {
    const { row } = await audited(by, action, async (tx, project) => {
      const made = await change(tx, project, await rowsOf(by.ref, tx))
      const { id, algorithm } = made.row
      return { ...made, change: made.change && { key: id, algorithm, ...made.change } }
    })
    return shown(row)
  }

  /** The standby key goes into use, and what was in use goes. There is always exactly one in use. */
  async function rotate(tx: Tx, rows: readonly SigningKeyRow[], id: string) {
    const before = one(rows, ({ status }) => status === 'in_use')
    await store.move(tx, before.id, 'previously_used')
    return store.move(tx, id, 'in_use')
  }

  function refuseMove(
    row: SigningKeyRow,
    to: SigningKeyStatus,
    { rows, project }: { rows: readonly SigningKeyRow[]; project: LockedProject },
  ): void {
    if (!signingKeyMoves[row.status].includes(to)) {
      throw new ApiError(
        'signing_key_move',
        row.status === 'in_use'
          ? 'The key in use stays so until another one is rotated to'
          : `A key that is ${row.status} cannot become ${to}`,
      )
    }
    if (to === 'standby' && rows.some(({ status }) => status === 'standby'))
      throw new ApiError('standby_exists')
    // Otherwise the keys of every client would end with it, and nobody had asked for that.
    if (to === 'revoked' && row.is_legacy && project.legacy_keys_disabled_at === null)
      throw new ApiError('legacy_keys_enabled')
  }

  return {
    list: async (ref: string) => ({ keys: (await rowsOf(ref)).map(shown) }),
    get: async (ref: string, id: string) => shown(one(await rowsOf(ref), (row) => row.id === id)),
    legacy: async (ref: string) => shown(one(await rowsOf(ref), (row) => row.is_legacy)),

    async create(caller: Caller, input: Parsed<typeof api.create>, origin: Origin) {
      const { ref, status } = input
      const values = await material(input)
      return changing({ caller, ref, origin }, 'signingKeys.create', async (tx, { id }, rows) => {
        if (rows.length >= maxSigningKeys) throw new ApiError('too_many_signing_keys')
        if (status === 'standby' && rows.some((row) => row.status === 'standby'))
          throw new ApiError('standby_exists')
        const made = await store.insert(tx, {
          ...values,
          project_id: id,
          status: 'previously_used',
        })
        if (!made) throw new ApiError('signing_key_exists')
        const row =
          status === 'in_use'
            ? await rotate(tx, rows, made.id)
            : await store.move(tx, made.id, status)
        return { row, change: { after: { status, imported: input.private_jwk !== undefined } } }
      })
    },

    update: (caller: Caller, { ref, id, status }: Parsed<typeof api.update>, origin: Origin) =>
      changing({ caller, ref, origin }, 'signingKeys.update', async (tx, project, rows) => {
        const row = one(rows, (each) => each.id === id)
        if (row.status === status) return { row }
        refuseMove(row, status, { rows, project })
        const moved =
          status === 'in_use' ? await rotate(tx, rows, id) : await store.move(tx, id, status)
        return { row: moved, change: { before: { status: row.status }, after: { status } } }
      }),

    remove: (caller: Caller, { ref, id }: Parsed<typeof api.remove>, origin: Origin) =>
      changing({ caller, ref, origin }, 'signingKeys.remove', async (tx, _, rows) => {
        const row = one(rows, (each) => each.id === id)
        if (row.status !== 'revoked') throw new ApiError('signing_key_not_revoked')
        if (row.is_legacy)
          throw new ApiError('signing_key_not_revoked', 'The legacy JWT secret can only be revoked')
        await store.remove(tx, id)
        return { row, change: { before: { status: row.status } } }
      }),

    /**
     * What a new project is to sign with, when that is not its secret; undefined when it is. To be made before the
     * project's own transaction, and used in it.
     */
    async first(input: {
      signing_algorithm?: SigningAlgorithm | undefined
      private_jwk?: PrivateJwk | undefined
    }) {
      const { signing_algorithm: named, private_jwk } = input
      if (!named && !private_jwk) return undefined
      const algorithm = named ?? algorithmOf(private_jwk ?? {})
      const values = await material({ algorithm, private_jwk })
      return async (tx: Tx, project: { id: string; ref: string }): Promise<void> => {
        const rows = await rowsOf(project.ref, tx)
        const row = { ...values, project_id: project.id, status: 'previously_used' as const }
        await store.insert(tx, row)
        await rotate(tx, rows, values.id)
      }
    },

    /** For the data plane: all that verify, and of the one in use what signs. */
    async forService(ref: string, jwtSecret: string): Promise<ServedSigningKey[]> {
      const rows = await store.ofProject(ref)
      return rows.flatMap((row) => served(row, jwtSecret, secrets))
    },
  }
}
export type SigningKeys = ReturnType<typeof createSigningKeys>

const shown = (row: SigningKeyRow): SigningKey => ({
  id: row.id,
  algorithm: row.algorithm,
  status: row.status,
  public_jwk: row.public_jwk,
  is_legacy: row.is_legacy,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

function served(
  { id, algorithm, kid, public_jwk, sealed_jwk, status }: SigningKeyRow,
  jwtSecret: string,
  secrets: Pick<Secrets, 'open'>,
): ServedSigningKey[] {
  if (status === 'revoked') return []
  if (kid === null || sealed_jwk === null) {
    const legacy = { kid: kidOfSecret(jwtSecret), jwk: jwkOfSecret(Buffer.from(jwtSecret)) }
    return [{ ...legacy, algorithm, status }]
  }
  // Who only verifies has no use for the private half.
  if (status !== 'in_use' && public_jwk !== null) {
    return [{ kid, algorithm, status, jwk: public_jwk }]
  }
  // Written by this file and sealed since.
  const jwk = JSON.parse(secrets.open(sealed_jwk, identityOf(id))) as Record<string, unknown>
  return [{ kid, algorithm, status, jwk }]
}
