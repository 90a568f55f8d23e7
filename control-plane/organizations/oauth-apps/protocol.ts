import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { oauthScopes } from '#contract/organizations/oauth-scopes'
import { ApiError } from '#kit/errors'
import { createRateLimit } from '#kit/http/rate-limit'
import type { createAuthorize } from './authorize.ts'
import { readForm, readProof, readQuery } from './form.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthTokens } from './tokens.ts'

type Options = {
  authorize: ReturnType<typeof createAuthorize>
  tokens: OAuthTokens
  issuer: string
  /** Requests a minute that one address may write down, and calls for tokens. */
  perMinute?: { authorize: number; token: number }
}

/**
 * The OAuth 2.1 protocol for apps: authorization code with PKCE, refresh tokens, revocation, and the document that
 * describes it. Its contract is the protocol (RFC 6749, 7636, 7009, 8414, 9207), so it is not in contract/.
 */
export function addOAuth(app: FastifyInstance, options: Options): void {
  const { authorize, tokens, issuer, perMinute = { authorize: 60, token: 600 } } = options
  const limits = {
    authorize: createRateLimit(perMinute.authorize),
    token: createRateLimit(perMinute.token),
  }

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, String(body)),
    )
    scope.setErrorHandler((error, request, reply) => answerError(error, request, reply))
    scope.addHook('onRequest', async (_request, reply) => {
      void reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    })

    scope.get('/v1/oauth/authorize', async (request, reply) => {
      await limits.authorize(request.ip)
      try {
        return await reply.redirect(await authorize(readQuery(request.url)), 303)
      } catch (error) {
        // A person's browser came here: the reason is shown in a page of ours, and nowhere else.
        if (!(error instanceof OAuthError) || !request.headers.accept?.includes('text/html')) {
          throw error
        }
        return reply.redirect(`${issuer}/authorize?error=${error.code}`, 303)
      }
    })

    scope.post('/v1/oauth/token', async (request, reply) => {
      await limits.token(request.ip)
      const form = readForm(request.body)
      return reply.send(await tokens.exchange(readProof(request.headers.authorization, form), form))
    })

    scope.post('/v1/oauth/revoke', async (request, reply) => {
      await limits.token(request.ip)
      const form = readForm(request.body)
      await tokens.revoke(readProof(request.headers.authorization, form), form)
      return reply.send({})
    })

    scope.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
      reply.send({
        issuer,
        authorization_endpoint: `${issuer}/v1/oauth/authorize`,
        token_endpoint: `${issuer}/v1/oauth/token`,
        revocation_endpoint: `${issuer}/v1/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'none',
        ],
        authorization_response_iss_parameter_supported: true,
        scopes_supported: oauthScopes,
      }),
    )
  })
}

/** Refusals in the protocol's shape; anything else goes to the handler of the whole app. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError && error.code === 'rate_limited') {
    void reply.header('retry-after', String(error.retryAfter ?? 60))
    return answerError(new OAuthError('temporarily_unavailable', error.message), request, reply)
  }
  if (!(error instanceof OAuthError)) throw error
  if (error.status === 401) void reply.header('www-authenticate', 'Basic realm="oauth"')
  return reply.status(error.status).send({
    error: error.code,
    error_description: error.message,
    // What every other call of the platform answers with, for clients that read only that.
    message: error.message,
  })
}
