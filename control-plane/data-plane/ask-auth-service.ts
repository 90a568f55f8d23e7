import { z } from 'zod'
import type { ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'
import type { DataPlane } from './client.ts'

const Refusal = z.object({
  error_code: z.string().optional(),
  code: z.unknown(),
  msg: z.string().optional(),
  message: z.string().optional(),
})

type Asked = { ref: string; method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: object }

/**
 * Asks the auth service of a project as the holder of its secret key would, and gives its answer; undefined when it has
 * none. `path` begins behind `/auth/v1/`; what is not there is `missing`.
 * @throws ApiError with the words of the service
 */
export const createAskAuthService =
  (dataPlane: Pick<DataPlane, 'authService'>, missing: ErrorCode) =>
  async ({ ref, method, path, body }: Asked): Promise<unknown> => {
    const response = await dataPlane.authService(ref, `/${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const answer: unknown = text === '' ? undefined : JSON.parse(text)
    if (response.ok) return answer
    if (response.status >= 500) throw new ApiError('project_unreachable')
    const { error_code: code, msg, message } = Refusal.parse(answer)
    if (response.status === 402)
      throw new ApiError(code === 'quota_exceeded' ? code : 'organization_restricted')
    if (response.status === 404 && code !== 'feature_disabled') throw new ApiError(missing)
    throw new ApiError('invalid_input', msg ?? message)
  }
export type AskAuthService = ReturnType<typeof createAskAuthService>
