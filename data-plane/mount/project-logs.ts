import { z } from 'zod'
import {
  FacetsQuestion,
  HistogramQuestion,
  PageQuestion,
  SqlQuestion,
  TraceQuestion,
} from '#contract/observability/logs'
import { ServerLogEntry } from '#contract/observability/server-log'
import { ProjectRef } from '#contract/values'
import { ApiError } from '#kit/errors'
import { addErrorHandling } from '#kit/http/http-errors'
import { serverEntry } from './log-entries.ts'
import type { LogStore } from '../logs/log-store.ts'
import type { Plane } from '../plane.ts'

const Since = z.object({ kept: z.object({ since: z.number(), auditSince: z.number() }) })
const ByRef = z.object({ ref: ProjectRef })
const Retention = z.object({
  projects: z.array(z.object({ ref: ProjectRef, since: z.number() })).max(10_000),
})

const ServerLog = z.object({ entries: z.array(ServerLogEntry).max(1000) })
/** Bytes of the entries of a server that come at once. */
const largestMessage = 16 * 1024 * 1024

/** What our own programs ask about the logs of projects, and say about them. */
export function mountLogs({ app, logs, onlyOurs }: Plane, store: LogStore): void {
  void app.register(
    async (scope) => {
      addErrorHandling(scope)
      scope.addHook('onRequest', onlyOurs)
      scope.get('/', () => store.projects())
      scope.get('/:ref', async ({ params }) => ({
        oldest: (await store.oldest(refOf(params))) ?? null,
        engine: store.answers(),
      }))
      scope.delete('/:ref', async ({ params }) => {
        await store.drop(refOf(params))
        return {}
      })
      scope.post('/:ref/server', { bodyLimit: largestMessage }, async ({ params, body }) => {
        const ref = refOf(params)
        const { entries } = read(ServerLog, body)
        for (const entry of entries) logs.note(ref, 'postgres_logs', serverEntry(entry))
        return { kept: entries.length }
      })
      scope.post('/:ref/page', async ({ params, body, signal }) =>
        store.page(...asked(params, body, PageQuestion), signal),
      )
      scope.post('/:ref/histogram', async ({ params, body, signal }) =>
        store.histogram(...asked(params, body, HistogramQuestion), signal),
      )
      scope.post('/:ref/facets', async ({ params, body, signal }) =>
        store.facets(...asked(params, body, FacetsQuestion), signal),
      )
      scope.post('/:ref/query', async ({ params, body, signal }) =>
        store.query(...asked(params, body, SqlQuestion), signal),
      )
      scope.post('/:ref/trace', async ({ params, body, signal }) =>
        store.trace(...asked(params, body, TraceQuestion), signal),
      )
      scope.post('/retention', async ({ body }) => {
        const { projects } = read(Retention, body)
        for (const { ref, since } of projects) await store.retain(ref, since)
        return { kept: projects.length }
      })
    },
    { prefix: '/internal/logs' },
  )
}

const asked = <Q>(params: unknown, body: unknown, question: z.ZodType<Q>) =>
  [refOf(params), read(question, body), read(Since, body).kept] as const

/** @throws ApiError invalid_input */
function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value)
  if (error) throw new ApiError('invalid_input', z.prettifyError(error))
  return data as T
}
const refOf = (params: unknown) => read(ByRef, params).ref
