import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { FunctionCode, type FunctionTrial } from '#contract/functions/functions-internal'
import { largestFunction } from '#contract/v1/v1-functions'
import { ProjectRef } from '#contract/values'
import { addErrorHandling } from '#kit/http/http-errors'
import type { NoteEvent } from '../functions/function-event.ts'
import { createFunctions, type FunctionOptions } from '../functions/functions.ts'
import type { CountCall } from '../functions/routes.ts'
import { bearerOf, isOpaque } from '../gateway/keys.ts'
import type { Load } from '../gateway/request-counts.ts'
import { functionEntry } from './log-entries.ts'
import type { Plane } from '../plane.ts'
import type { OpenProject } from '../projects/open-project.ts'

/** Bytes: the files as base64, and their names. */
const largestTrial = largestFunction * 1.5

/** Puts the functions of projects behind the gateway: no key is asked for, and what is asked for each function decides. */
export function mountFunctions(plane: Plane, options: FunctionOptions): void {
  const { app, gateway, directory, counts, meter, logs, onlyOurs, rewriteUrl: rewrite, log } = plane
  const count: CountCall = (ref, id, status, ms) => {
    counts?.note(ref, `function:${id}`, status, ms, false)
    meter.add(ref, 'function_invocations', 1)
  }
  const measure = (ref: string, id: string, load: Load) =>
    counts?.noteLoad(ref, `function:${id}`, load)
  const note: NoteEvent = (ref, event) => {
    const { source, noted } = functionEntry(event)
    logs.note(ref, source, noted)
  }
  const parts = { app, directory, count, measure, note, rewrite, log }
  const functions = createFunctions({ ...options, ...parts })
  void app.register(
    async (scope) => {
      gateway.guard(scope, { open: () => true, answersPreflights: true, thirdParty: true })
      functions.routes(scope, (request) => {
        const tenant = gateway.tenantOf(request)
        const { connection } = tenant.project
        const checkToken = () => {
          refuseOtherKeys(request, connection)
          tenant.identity()
        }
        return { project: connection, target: tenant.target, checkToken }
      })
    },
    { prefix: '/:ref/functions/v1' },
  )
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      scope.post(
        '/function-trials/:ref',
        { bodyLimit: largestTrial },
        async (request): Promise<FunctionTrial> => {
          const { ref } = z.object({ ref: ProjectRef }).parse(request.params)
          const project = await directory.find(ref)
          if (project?.status !== 'ACTIVE_HEALTHY')
            return { outcome: 'not_tried', reason: 'The project does not run' }
          return functions.tryOut(project, FunctionCode.parse(request.body))
        },
      )
    },
    { prefix: '/internal' },
  )
}

/** Keys that are no tokens do not pass this check, and neither do legacy keys once they were disabled. */
function refuseOtherKeys(
  { headers: { authorization } }: FastifyRequest,
  project: OpenProject['connection'],
): void {
  const bearer = bearerOf(authorization)
  const { anonKey, serviceKey, legacyKeysDisabledAt } = project
  const isLegacy = bearer === anonKey || bearer === serviceKey
  if (bearer === undefined || isOpaque(bearer)) throw new Error('No token')
  if (isLegacy && legacyKeysDisabledAt !== undefined) throw new Error('Legacy keys are disabled')
}
