import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/** How tokens can be signed. HS256 is a shared secret; of the others only the public half leaves the platform. */
export const signingAlgorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** `in_use` signs; all but `revoked` verify. */
export const signingKeyStatuses = ['in_use', 'standby', 'previously_used', 'revoked'] as const
export type SigningKeyStatus = (typeof signingKeyStatuses)[number]

/** What can become of a key. A rotation moves the standby key into use and the one in use to `previously_used`. */
export const signingKeyMoves: Record<SigningKeyStatus, readonly SigningKeyStatus[]> = {
  in_use: [],
  standby: ['in_use', 'previously_used'],
  previously_used: ['standby', 'revoked'],
  revoked: ['standby'],
}

/** Most keys of one project: every one that is not revoked is tried for a token that names none. */
export const maxSigningKeys = 10

export const SigningKey = z.object({
  id: z.uuid(),
  algorithm: z.enum(signingAlgorithms),
  status: z.enum(signingKeyStatuses),
  /** The `kid` in tokens that it signs is `public_jwk.kid`; null for a shared secret. */
  public_jwk: z.record(z.string(), z.unknown()).nullable(),
  /** The secret that the project was made with; the anon and service_role keys are signed by it. */
  is_legacy: z.boolean(),
  created_at: Instant,
  /** When its status was last moved. */
  updated_at: Instant,
})
export type SigningKey = z.infer<typeof SigningKey>

/** A private key or a secret as RFC 7517 writes it; what it must be is checked by whoever reads it. */
export const PrivateJwk = z
  .record(z.string().max(50), z.unknown())
  .refine((jwk) => JSON.stringify(jwk).length <= 16_000, 'is too long for a key')
export type PrivateJwk = z.infer<typeof PrivateJwk>

/** What the tokens of a new project are signed by, when not by its shared secret: a key made for it, or brought along. */
export const firstSigningKey = {
  signing_algorithm: z.enum(signingAlgorithms).optional(),
  /** Without `signing_algorithm` its own `alg` says which one it is for. */
  private_jwk: PrivateJwk.optional(),
}

const ByRef = z.object({ ref: ProjectRef })
const ById = ByRef.extend({ id: z.uuid() })
const path = '/v1/projects/:ref/config/auth/signing-keys' as const
const reads = inProject('read:Read', 'auth_signing_keys')

/** The keys that sign the access tokens of a project's users. No answer holds a private key or a secret. */
export const signingKeys = {
  list: endpoint('signingKeys.list', `GET ${path}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({ keys: z.array(SigningKey) }),
  }),
  /** A new key, made here or brought along. `in_use` rotates to it at once. */
  create: endpoint('signingKeys.create', `POST ${path}`, {
    needs: inProject('write:Create', 'auth_signing_keys'),
    status: 201,
    perMinute: 60,
    input: ByRef.extend({
      algorithm: z.enum(signingAlgorithms),
      status: z.enum(['in_use', 'standby']).default('standby'),
      private_jwk: PrivateJwk.optional(),
    }),
    returns: SigningKey,
  }),
  legacy: endpoint('signingKeys.legacy', `GET ${path}/legacy`, {
    needs: reads,
    input: ByRef,
    returns: SigningKey,
  }),
  /** The secret of a project is a signing key from the beginning here, so this only answers with it. */
  importLegacy: endpoint('signingKeys.importLegacy', `POST ${path}/legacy`, {
    needs: inProject('write:Create', 'auth_signing_keys'),
    status: 201,
    input: ByRef,
    returns: SigningKey,
  }),
  get: endpoint('signingKeys.get', `GET ${path}/:id`, {
    needs: reads,
    input: ById,
    returns: SigningKey,
  }),
  update: endpoint('signingKeys.update', `PATCH ${path}/:id`, {
    needs: inProject('write:Update', 'auth_signing_keys'),
    input: ById.extend({ status: z.enum(signingKeyStatuses) }),
    returns: SigningKey,
  }),
  /** Only of a revoked key; what it had signed can never be verified again. */
  remove: endpoint('signingKeys.remove', `DELETE ${path}/:id`, {
    needs: inProject('write:Delete', 'auth_signing_keys'),
    input: ById,
    returns: SigningKey,
  }),
}
