import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ProjectConnection } from '#contract/internal'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { ApiError } from '#kit/errors'
import { keySetOf } from '#kit/jwt-key-set'
import { isBrowser } from './browsers.ts'
import { keyOf, type Verify } from './keys.ts'
import { KeyError } from './problems.ts'
import { createTokens } from './tokens.ts'

const bare = /^\/pg(?=[/?]|$)/
const { projectRef } = selfHostedWorld

/**
 * `/pg/tables` is where tools for self-hosting look for the metadata API: of the one project that there is. On the
 * platform no project has that name, so there is nothing at these addresses.
 */
export function withBarePgMeta(
  rewrite: (request: IncomingMessage) => string,
): (request: IncomingMessage) => string {
  return (request) => rewrite(request).replace(bare, `/internal/pg-meta/${projectRef}`)
}

export const isBare = ({ originalUrl }: FastifyRequest) => bare.test(originalUrl)

/**
 * Lets in who shows the project's secret key, as the database's owner.
 * @throws ApiError not_found, not_signed_in or not_allowed
 */
export async function admitBare(
  request: FastifyRequest,
  open: (ref: string) => Promise<{ connection: ProjectConnection } | undefined>,
): Promise<void> {
  const project = await open(projectRef)
  if (!project) throw new ApiError('not_found')
  const { apikey, authorization } = request.headers
  const fromBrowser = isBrowser(request.headers)
  const shown = { apikey: String(apikey ?? ''), authorization, fromBrowser }
  if (roleOf(project.connection, shown) !== 'service_role')
    throw new ApiError('not_allowed', 'The metadata API requires the secret key')
  request.headers['x-plinth-login'] = 'postgres'
  delete request.headers['x-plinth-caller']
}

const tokens = createTokens()
const verify: Verify = (project, token) => tokens.verify(token, keySetOf(project))

function roleOf(project: ProjectConnection, shown: Parameters<typeof keyOf>[1]) {
  try {
    return keyOf(project, shown, verify).role
  } catch (error) {
    if (error instanceof KeyError) throw new ApiError('not_signed_in', error.message)
    throw error
  }
}
