import { createHash, randomUUID } from 'node:crypto'
import { createSecrets } from '#kit/secrets'
import { newAuthCode, storedHash } from '../sign-in/codes.ts'
import { saveIssuedFlow } from './external-flow-store.ts'
import type { ProviderTokens } from './external-providers.ts'
import type { FlowState } from '../sign-in/flow-state-store.ts'
import type { Challenge } from '../sign-in/challenge.ts'
import { withQuery } from '../sign-in/redirects.ts'
import type { Db } from '../store.ts'
import type { UserRow } from '../users/user-row.ts'

/** Only the client has the code, and the database only its hash: what is sealed with it opens for the client alone. */
function secretsOf(code: string) {
  return createSecrets(createHash('sha256').update(`provider tokens\0${code}`).digest())
}

/** Ends a PKCE sign-in: the target with a code that its client trades for the session. */
export async function issueExternalCode(
  tx: Db,
  target: string,
  flow: { user: UserRow; challenge: Challenge; method: string; provider: string },
  { accessToken, refreshToken }: ProviderTokens,
  at: Date,
): Promise<string> {
  const code = newAuthCode()
  const id = randomUUID()
  const secrets = secretsOf(code)
  const { user, challenge, method, provider } = flow
  const row = { id, userId: user.id, codeHash: storedHash(code), challenge, method, provider }
  const sealed = {
    accessToken: accessToken && secrets.seal(accessToken, id),
    refreshToken: refreshToken && secrets.seal(refreshToken, id),
  }
  await saveIssuedFlow(tx, { ...row, ...sealed }, at)
  return withQuery(target, { code })
}

/** The tokens of the provider that belong to a flow, for the answer of the exchange. */
export function providerTokensOf(flow: FlowState, code: string) {
  const open = (sealed: string | null) => sealed && secretsOf(code).open(sealed, flow.id)
  const accessToken = open(flow.provider_access_token)
  const refreshToken = open(flow.provider_refresh_token)
  return {
    ...(accessToken && { provider_token: accessToken }),
    ...(refreshToken && { provider_refresh_token: refreshToken }),
  }
}
