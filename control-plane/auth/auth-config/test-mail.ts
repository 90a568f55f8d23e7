import type { TestMailResult, TestMail } from '#contract/auth/auth-test-mail'
import { dataPlaneApi } from '#contract/data-plane-api'
import type { DataPlane } from '../../data-plane/client.ts'

export type SendTestMail = (ref: string, to: string, mail: TestMail) => Promise<TestMailResult>

/**
 * Lets the data plane send a mail as the auth service of a project would, at once and only once.
 * @throws ApiError project_unreachable when the project does not run, service_unavailable when the data plane does not.
 */
export const createTestMail =
  (dataPlane: DataPlane): SendTestMail =>
  (ref, to, mail) =>
    dataPlane.ask(dataPlaneApi.testMail, { params: { ref }, body: { ...mail, to } })
