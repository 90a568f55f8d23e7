import { createHash, randomUUID } from 'node:crypto'
import { audit, type AuditAction } from './audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { parseDuration } from '../sessions/durations.ts'
import { refuseDuplicate } from '../sign-in/email-change.ts'
import { normalizeEmail, normalizePhone } from '../mail/emails.ts'
import { AuthError, invalid } from '../errors.ts'
import { factorsOf } from '../mfa/factors-store.ts'
import {
  deleteIdentities,
  identitiesOf,
  saveEmailIdentity,
  savePhoneIdentity,
} from '../users/identities-store.ts'
import { mergeMetadata, metadataOf, withProvider, type Metadata } from '../users/metadata.ts'
import { deleteOneTimeTokens } from '../sign-in/one-time-tokens-store.ts'
import { checkPassword, isBcrypt } from '../sign-in/passwords.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { emailAppMetadata } from '../sign-in/signup.ts'
import { brokenUnique, inTransaction, type Db } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import { defaultRole, loadUserJson, userJson, type UserJson } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import * as store from '../users/users-store.ts'

export type AdminUserInput = {
  id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  password?: string | undefined
  password_hash?: string | undefined
  email_confirm?: boolean | undefined
  phone_confirm?: boolean | undefined
  user_metadata?: Metadata | undefined
  app_metadata?: Metadata | undefined
  role?: string | undefined
  aud?: string | undefined
  ban_duration?: string | undefined
}

/** What a holder of the service key may do to any account. */
export function createAdmin({ now, passwords, leaked }: AuthDeps) {
  /** The columns that an input asks for, on top of those an account has. */
  async function changesOf(
    tenant: AuthTenant,
    input: AdminUserInput,
    old: Pick<UserRow, 'raw_app_meta_data' | 'raw_user_meta_data'>,
  ): Promise<store.UserChanges> {
    const at = now()
    const hash = await hashOf(tenant, input)
    const banMs = input.ban_duration === undefined ? undefined : parseDuration(input.ban_duration)
    return {
      ...(input.email && { email: normalizeEmail(input.email), email_change: '' }),
      ...(input.phone && { phone: normalizePhone(input.phone), phone_change: '' }),
      ...(hash !== undefined && { encrypted_password: hash }),
      ...(input.email_confirm && { email_confirmed_at: at }),
      ...(input.phone_confirm && { phone_confirmed_at: at }),
      ...(input.role && { role: input.role }),
      ...(input.aud && { aud: input.aud }),
      ...(input.user_metadata && {
        raw_user_meta_data: mergeMetadata(old.raw_user_meta_data, input.user_metadata),
      }),
      ...(input.app_metadata && {
        raw_app_meta_data: mergeMetadata(old.raw_app_meta_data, input.app_metadata),
      }),
      ...(input.ban_duration !== undefined && {
        banned_until: banMs === undefined ? null : new Date(at.getTime() + banMs),
      }),
    }
  }

  async function hashOf(tenant: AuthTenant, input: AdminUserInput): Promise<string | undefined> {
    if (input.password && input.password_hash) {
      throw invalid('Only one of password and password_hash can be given')
    }
    if (input.password_hash) {
      if (!isBcrypt(input.password_hash)) throw invalid('password_hash must be a bcrypt hash')
      return input.password_hash
    }
    if (!input.password) return undefined
    checkPassword(tenant.config, input.password)
    await leaked.refuse(tenant, input.password)
    return passwords.hash(input.password)
  }

  async function create(caller: Caller, input: AdminUserInput): Promise<UserJson> {
    const { tenant } = caller
    if (!input.email && !input.phone) {
      throw invalid('Cannot create a user without either an email or phone')
    }
    const provider = input.email ? emailAppMetadata : {}
    const providers = input.phone ? withProvider(provider, 'phone') : provider
    const old = { raw_app_meta_data: providers, raw_user_meta_data: {} }
    const changes = await changesOf(tenant, input, old)
    const values = { aud: tenant.jwt.audience, role: defaultRole, ...old, ...changes }
    return inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const id = input.id ?? randomUUID()
      const user = await store.insertUser(tx, id, values, at).catch(refuseTakenId)
      if (!user) throw new AuthError('email_exists')
      await saveIdentities(tx, user, { email: true, phone: true }, at)
      await record(tx, caller, 'user_signedup', user, at)
      return loadUserJson(tx, user)
    })
  }

  async function update(caller: Caller, id: string, input: AdminUserInput): Promise<UserJson> {
    const { tenant } = caller
    const before = await find(tenant.pool, id)
    const prepared = await changesOf(tenant, input, before)
    return inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const current = await find(tx, id, { lock: true })
      // Merged again, now that nobody else can change the row.
      const metadata = mergedMetadata(current, input)
      const changesPhone = prepared.phone !== undefined && prepared.phone !== current.phone
      const user = await store
        .updateUser(tx, id, { ...prepared, ...metadata }, at)
        .catch(refuseDuplicate)
      if (!user) throw new AuthError('user_not_found')
      const named = {
        email: Boolean(input.email || input.email_confirm),
        phone: Boolean(input.phone || input.phone_confirm),
      }
      await saveIdentities(tx, user, named, at)
      // Codes for the number from before, or for one that was to come, lead nowhere.
      if (changesPhone) await deleteOneTimeTokens(tx, id)
      if (user.email && user.email !== current.email) {
        await tenant.onEmailChanged?.(tx, id, user.email)
      }
      if (prepared.encrypted_password !== undefined) {
        await deleteSessions(tx, id, { all: true })
        await deleteOneTimeTokens(tx, id)
      }
      await record(tx, caller, 'user_modified', user, at)
      return loadUserJson(tx, user)
    })
  }

  async function get(tenant: AuthTenant, id: string): Promise<UserJson> {
    return loadUserJson(tenant.pool, await find(tenant.pool, id))
  }

  async function list(
    tenant: AuthTenant,
    page: store.UserPage,
  ): Promise<{ users: UserJson[]; total: number }> {
    const { users, total } = await store.listUsers(tenant.pool, page)
    const ids = users.map((user) => user.id)
    const identities = await identitiesOf(tenant.pool, ids)
    const factors = await factorsOf(tenant.pool, ids)
    return { users: users.map((user) => userJson(user, identities, factors)), total }
  }

  async function remove(caller: Caller, id: string, { soft }: { soft: boolean }): Promise<void> {
    await inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      const user = await find(tx, id, { lock: true })
      if (soft) await softDelete(tx, user, at)
      else await store.deleteUser(tx, id)
      await record(tx, caller, 'user_deleted', user, at)
    })
  }

  /** Keeps the row, so that data elsewhere still refers to it, but nothing that says who it was. */
  async function softDelete(tx: Db, user: UserRow, at: Date): Promise<void> {
    const veil = (text: string | null) =>
      text && createHash('sha256').update(`${user.id}${text}`).digest('base64url')
    await deleteSessions(tx, user.id, { all: true })
    await deleteOneTimeTokens(tx, user.id)
    await deleteIdentities(tx, user.id)
    const changes = {
      email: veil(user.email),
      phone: veil(user.phone),
      encrypted_password: null,
      email_change: '',
      phone_change: '',
      raw_user_meta_data: {},
      raw_app_meta_data: {},
      deleted_at: user.deleted_at ?? at,
    }
    await store.updateUser(tx, user.id, changes, at)
  }

  async function record(
    tx: Db,
    { ip }: Caller,
    action: AuditAction,
    user: UserRow,
    at: Date,
  ): Promise<void> {
    const traits = { user_id: user.id, user_email: user.email ?? '' }
    await audit(tx, { action, actor: undefined, ip, traits }, at)
  }

  return { create, update, get, list, remove }
}

async function find(db: Db, id: string, lock: store.Lock = {}): Promise<UserRow> {
  const user = await store.userById(db, id, lock)
  if (!user) throw new AuthError('user_not_found')
  return user
}

async function saveIdentities(
  tx: Db,
  user: UserRow,
  which: { email: boolean; phone: boolean },
  at: Date,
): Promise<void> {
  if (which.email && user.email) {
    const address = { address: user.email, verified: user.email_confirmed_at !== null }
    await saveEmailIdentity(tx, user.id, address, at)
  }
  if (which.phone && user.phone) {
    const phone = { number: user.phone, verified: user.phone_confirmed_at !== null }
    await savePhoneIdentity(tx, user.id, phone, at)
  }
}

function mergedMetadata(user: UserRow, input: AdminUserInput): store.UserChanges {
  const app = metadataOf(user.raw_app_meta_data)
  const old = input.phone ? withProvider(app, 'phone') : app
  return {
    raw_app_meta_data: mergeMetadata(old, input.app_metadata),
    raw_user_meta_data: mergeMetadata(metadataOf(user.raw_user_meta_data), input.user_metadata),
  }
}

function refuseTakenId(error: unknown): never {
  if (brokenUnique(error) === 'users_pkey') {
    throw new AuthError('conflict', 'A user with this id already exists')
  }
  return refuseDuplicate(error)
}
