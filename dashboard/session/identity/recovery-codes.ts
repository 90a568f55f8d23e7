import { queryOptions } from '@tanstack/react-query'
import { CallError } from '../../api/call-error.ts'
import { send } from '../../api/http.ts'
import { auth } from './auth.ts'

// Our own addition to the auth service, which the public client has no calls for.
const path = '/auth/v1/factors/recovery-codes'

export type CodeSet = {
  /** 0: none were made. */
  total: number
  remaining: number
  created_at: string | null
  last_used_at: string | null
}

export const recoveryCodesQuery = queryOptions({
  queryKey: ['auth.recovery-codes'],
  queryFn: async ({ signal }): Promise<CodeSet> => {
    const response = await send({ method: 'GET', path, signal })
    return (await response.json()) as CodeSet
  },
  // One may have been used in another browser.
  staleTime: 0,
})

/** New codes, which nobody sees a second time; older ones end. */
export async function generateRecoveryCodes(): Promise<string[]> {
  const response = await send({ method: 'POST', path })
  return ((await response.json()) as { codes: string[] }).codes
}

type Tokens = { access_token: string; refresh_token: string }

/** A code in place of a second factor: this session is then one that has shown it. Answers as calls of the auth client do. */
export async function showRecoveryCode(code: string) {
  try {
    const response = await send({ method: 'POST', path: `${path}/verify`, body: { code } })
    return await (await auth()).setSession((await response.json()) as Tokens)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const reason = error.answer['error_code'] ?? error.reason
    const told = { message: error.message, code: typeof reason === 'string' ? reason : undefined }
    return { data: null, error: told }
  }
}

/** People type them with or without what is between the groups. */
export const recoveryCodeRules = {
  validate: (code: string) =>
    code.replaceAll(/[\s-]/g, '').length === 10 || 'A recovery code has 10 letters and digits',
}
