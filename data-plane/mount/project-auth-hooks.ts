import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ApiError } from '#kit/errors'
import { hookFunctionProblem } from '../auth/hooks/hook-database.ts'
import type { AuthTenant } from '../auth/tenant.ts'

type Deps = { tenantOf: (ref: string) => Promise<AuthTenant | undefined> }

const Input = z.object({ schema: z.string().min(1).max(63), name: z.string().min(1).max(63) })

/** `POST /{ref}/hook-function` says whether the auth service could ask a function, before somebody makes it a hook. */
export function hookFunctionRoutes(app: FastifyInstance, { tenantOf }: Deps): void {
  app.post('/:ref/hook-function', async ({ params, body }) => {
    const { ref } = z.object({ ref: z.string() }).parse(params)
    const tenant = await tenantOf(ref)
    if (!tenant) throw new ApiError('project_not_found')
    return { problem: (await hookFunctionProblem(tenant.pool, Input.parse(body))) ?? null }
  })
}
