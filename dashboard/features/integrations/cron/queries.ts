import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cron, type RunStatus } from '#contract/integrations/cron'
import { databaseQuery } from '../../../session/project/database.ts'

/** Runs end at any moment: what is shown is asked for again every ten seconds while somebody looks. */
const every = 10_000

export const cronQuery = (ref: string) =>
  queryOptions({ ...databaseQuery(cron.list, { ref }, 2_000), refetchInterval: every })

export type RunsAsked = { job: string; status?: RunStatus | undefined }

export const runsQuery = (ref: string, { job, status }: RunsAsked) =>
  queryOptions({
    ...databaseQuery(cron.runs, { ref, job, ...(status && { status }) }, 2_000),
    refetchInterval: every,
    placeholderData: keepPreviousData,
  })

export const resultsQuery = (ref: string, job?: string) =>
  queryOptions({
    ...databaseQuery(cron.results, { ref, ...(job && { job }) }, 2_000),
    refetchInterval: every,
    placeholderData: keepPreviousData,
  })

export const previewQuery = (ref: string, schedule: string) =>
  queryOptions({
    ...databaseQuery(cron.preview, { ref, schedule }),
    placeholderData: keepPreviousData,
  })

export const ofJobs = [cron.list, cron.runs, cron.results]
