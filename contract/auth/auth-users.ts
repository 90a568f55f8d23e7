import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref, wholeNumber } from '../values.ts'

/** How the list can be narrowed by what state a user is in. */
export const userStates = ['verified', 'unverified', 'anonymous', 'banned', 'sso'] as const
export type UserState = (typeof userStates)[number]
/** What the list can be sorted by: each has an index. */
export const userSorts = ['created_at', 'last_sign_in_at', 'email', 'phone'] as const
export type UserSort = (typeof userSorts)[number]
/** Where a text is looked for. */
export const userFields = ['all', 'id', 'email', 'phone', 'metadata'] as const
export type UserField = (typeof userFields)[number]
/** Matches of one field that a search by index looks at; with more it says so (`capped`). */
export const maxMatches = 1000
/** Users that can be deleted at once. */
export const maxDeleted = 500
export const usersPageSize = 50

/** A line of the list. Names and pictures are what people or their providers have put into the metadata. */
export const ListedUser = z.object({
  id: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  name: z.string().nullable(),
  providers: z.array(z.string()),
  role: z.string().nullable(),
  is_anonymous: z.boolean(),
  is_sso_user: z.boolean(),
  confirmed_at: Instant.nullable(),
  invited_at: Instant.nullable(),
  banned_until: Instant.nullable(),
  deleted_at: Instant.nullable(),
  created_at: Instant.nullable(),
  updated_at: Instant.nullable(),
  last_sign_in_at: Instant.nullable(),
})
export type ListedUser = z.infer<typeof ListedUser>

const metadata = z.record(z.string(), z.unknown())

/** A row of auth.users without its secrets: whether there is a password, never its digest. */
export const AuthUser = ListedUser.extend({
  aud: z.string().nullable(),
  email_confirmed_at: Instant.nullable(),
  phone_confirmed_at: Instant.nullable(),
  confirmation_sent_at: Instant.nullable(),
  recovery_sent_at: Instant.nullable(),
  reauthentication_sent_at: Instant.nullable(),
  email_change: z.string().nullable(),
  email_change_sent_at: Instant.nullable(),
  phone_change: z.string().nullable(),
  phone_change_sent_at: Instant.nullable(),
  has_password: z.boolean(),
  raw_app_meta_data: metadata,
  raw_user_meta_data: metadata,
})
export type AuthUser = z.infer<typeof AuthUser>

const UserIdentity = z.object({
  id: z.string(),
  provider: z.string(),
  provider_id: z.string(),
  email: z.string().nullable(),
  identity_data: metadata,
  created_at: Instant.nullable(),
  last_sign_in_at: Instant.nullable(),
})
const UserFactor = z.object({
  id: z.string(),
  friendly_name: z.string().nullable(),
  factor_type: z.string(),
  status: z.enum(['verified', 'unverified']),
  phone: z.string().nullable(),
  created_at: Instant,
  last_challenged_at: Instant.nullable(),
})
const UserSession = z.object({
  id: z.string(),
  created_at: Instant.nullable(),
  refreshed_at: Instant.nullable(),
  not_after: Instant.nullable(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  aal: z.string().nullable(),
})
export const UserDetail = z.object({
  user: AuthUser,
  identities: z.array(UserIdentity),
  factors: z.array(UserFactor),
  /** Those that have not ended, the one used last first; at most 200. */
  sessions: z.array(UserSession),
})
export type UserDetail = z.infer<typeof UserDetail>

const ByRef = z.object({ ref })
const ById = ByRef.extend({ id: z.guid() })
const base = '/platform/auth/:ref' as const
const users = `${base}/users` as const
const reads = inProject('tenant:Sql:Read:Select', 'auth.users')
const executes = (what: string) => inProject('auth:Execute', what)
const deletes = (table: string) => inProject('tenant:Sql:Write:Delete', table)
const address = z.string().trim().min(1).max(255)
const done = z.object({})

const Filter = ByRef.extend({
  search: z.string().trim().max(200).default(''),
  field: z.enum(userFields).default('all'),
  /** `starts`: by index, quick at any size. `contains`: anywhere in the text, which reads every user. */
  match: z.enum(['starts', 'contains']).default('starts'),
  state: z.enum(userStates).optional(),
  provider: z.string().max(100).optional(),
})

/** Users of a project's auth service, for its members. What people do to users is done as the service itself. */
export const authUsers = {
  list: endpoint('authUsers.list', `GET ${users}`, {
    needs: reads,
    input: Filter.extend({
      sort: z.enum(userSorts).default('created_at'),
      order: z.enum(['asc', 'desc']).default('desc'),
      limit: wholeNumber(1, 200).default(usersPageSize),
      /** `next` of the page before, with the same filter, sort and order. */
      cursor: z.string().max(2000).optional(),
    }),
    returns: z.object({
      users: z.array(ListedUser),
      next: z.string().nullable(),
      /** A search by index found more in one field than it looks at: longer words find the rest. */
      capped: z.boolean(),
    }),
    raw: true,
  }),
  /** By the planner's reckoning where there are many, unless it is to be exact. */
  count: endpoint('authUsers.count', `GET ${users}/count`, {
    needs: reads,
    input: Filter.extend({ exact: z.stringbool().default(false) }),
    returns: z.object({ count: z.number(), is_estimate: z.boolean() }),
    raw: true,
  }),
  get: endpoint('authUsers.get', `GET ${users}/:id`, {
    needs: reads,
    input: ById,
    returns: UserDetail,
    raw: true,
  }),
  create: endpoint('authUsers.create', `POST ${users}`, {
    needs: executes('create_user'),
    input: ByRef.extend({
      email: address.optional(),
      phone: address.optional(),
      password: z.string().max(1000).optional(),
      /** The address and number count as theirs without a mail or message. */
      auto_confirm: z.boolean().default(true),
    }),
    returns: z.object({ id: z.string() }),
    status: 201,
    raw: true,
  }),
  update: endpoint('authUsers.update', `PATCH ${users}/:id`, {
    needs: inProject('tenant:Sql:Write:Update', 'auth.users'),
    input: ById.extend({
      /** Such as `24h`; `none` lifts a ban. */
      ban_duration: z.string().max(40).optional(),
      /** The whole of it: keys that are not given go. */
      user_metadata: metadata.optional(),
      app_metadata: metadata.optional(),
    }),
    returns: z.object({ id: z.string() }),
    raw: true,
  }),
  remove: endpoint('authUsers.remove', `DELETE ${users}/:id`, {
    needs: deletes('auth.users'),
    input: ById,
    returns: done,
    raw: true,
  }),
  /** All of them or none. Those who are gone already count as deleted. */
  removeMany: endpoint('authUsers.removeMany', `POST ${users}/delete`, {
    needs: deletes('auth.users'),
    input: ByRef.extend({ ids: z.array(z.guid()).min(1).max(maxDeleted) }),
    returns: z.object({ deleted: z.number() }),
    raw: true,
  }),
  removeFactors: endpoint('authUsers.removeFactors', `DELETE ${users}/:id/factors`, {
    needs: deletes('auth.mfa_factors'),
    input: ById,
    returns: z.object({ removed: z.number() }),
    raw: true,
  }),
  removeFactor: endpoint('authUsers.removeFactor', `DELETE ${users}/:id/factors/:factor`, {
    needs: deletes('auth.mfa_factors'),
    input: ById.extend({ factor: z.guid() }),
    returns: done,
    raw: true,
  }),
  endSessions: endpoint('authUsers.endSessions', `DELETE ${users}/:id/sessions`, {
    needs: deletes('auth.sessions'),
    input: ById,
    returns: z.object({ ended: z.number() }),
    raw: true,
  }),
  endSession: endpoint('authUsers.endSession', `DELETE ${users}/:id/sessions/:session`, {
    needs: deletes('auth.sessions'),
    input: ById.extend({ session: z.guid() }),
    returns: z.object({ ended: z.number() }),
    raw: true,
  }),
  invite: endpoint('authUsers.invite', `POST ${base}/invite`, {
    needs: executes('invite_user'),
    input: ByRef.extend({ email: address }),
    returns: z.object({ id: z.string() }),
    raw: true,
  }),
  magicLink: endpoint('authUsers.magicLink', `POST ${base}/magiclink`, {
    needs: executes('send_magic_link'),
    input: ByRef.extend({ email: address }),
    returns: done,
    raw: true,
  }),
  otp: endpoint('authUsers.otp', `POST ${base}/otp`, {
    needs: executes('send_otp'),
    input: ByRef.extend({ phone: address }),
    returns: done,
    raw: true,
  }),
  recover: endpoint('authUsers.recover', `POST ${base}/recover`, {
    needs: executes('send_recovery'),
    input: ByRef.extend({ email: address }),
    returns: done,
    raw: true,
  }),
}
