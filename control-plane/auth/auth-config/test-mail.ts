import { TestMailResult, type TestMail } from '#contract/auth/auth-test-mail'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'

type Deps = { dataPlaneUrl: string; internalToken: string; log: Log }

/** A mail server has half a minute to answer. */
const longestWaitMs = 45_000

/**
 * Lets the data plane send a mail as the auth service of a project would, at once and only once.
 * @throws ApiError project_unreachable when the project does not run, service_unavailable when the data plane does not.
 */
export const createTestMail =
  ({ dataPlaneUrl, internalToken, log }: Deps) =>
  async (ref: string, to: string, mail: TestMail): Promise<TestMailResult> => {
    const response = await fetch(`${dataPlaneUrl}/internal/projects/${ref}/test-mail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...mail, to }),
      signal: AbortSignal.timeout(longestWaitMs),
    }).catch((error: unknown) => {
      log.error({ err: error, ref }, 'the data plane does not answer')
      throw new ApiError('service_unavailable')
    })
    if (response.ok) return TestMailResult.parse(await response.json())
    if (response.status === 503 || response.status === 404)
      throw new ApiError('project_unreachable')
    throw new Error(`The data plane answered ${response.status} to a test mail`)
  }
export type SendTestMail = ReturnType<typeof createTestMail>
