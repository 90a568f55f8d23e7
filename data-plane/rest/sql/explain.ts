import type { Answer } from '../answers/answer.ts'
import { commonHeaders } from '../answers/answer.ts'
import type { Incoming } from '../requests/incoming.ts'
import type { Prepared, Serving } from '../requests/prepared.ts'
import { Problem } from '../answers/problem.ts'

/** How Postgres would answer, asked for by the media type `application/vnd.pgrst.plan` (contract §8). */
export type PlanAsked = {
  format: 'text' | 'json'
  options: readonly PlanOption[]
  /** The media type that the answer would have had. */
  of: string
}

const planOptions = ['analyze', 'verbose', 'settings', 'buffers', 'wal'] as const
type PlanOption = (typeof planOptions)[number]

/** @throws Problem PGRST107 where plans are not shown: they tell about rows that the caller may not see */
export function planAsked(incoming: Incoming, { schema }: Serving): PlanAsked | undefined {
  const accept = incoming.headers.accept ?? ''
  const type = /^\s*application\/vnd\.pgrst\.plan(\+json|\+text)?\s*(?:;|$)/i.exec(accept)
  if (!type) return undefined
  if (schema.options.get('db_plan_enabled') !== 'true') {
    const message = `None of these media types are available: ${accept}`
    throw new Problem(406, 'PGRST107', message)
  }
  const asked = /;\s*options=([a-z|]*)/i.exec(accept)?.[1]?.toLowerCase().split('|') ?? []
  return {
    format: type[1]?.toLowerCase() === '+json' ? 'json' : 'text',
    options: planOptions.filter((option) => asked.includes(option)),
    of: /;\s*for="([^"]*)"/i.exec(accept)?.[1] ?? 'application/json',
  }
}

/** The request as it was, but its main statement is explained and nothing else is run. */
export function explained(
  prepared: Prepared,
  { format, options, of }: PlanAsked,
  incoming: Incoming,
  { settings }: Serving,
): Prepared {
  const [main] = prepared.statements
  const list = [`format ${format}`, ...options].join(', ')
  const type = `application/vnd.pgrst.plan+${format}; for="${of}"${options.length === 0 ? '' : `; options=${options.join('|')}`}`
  return {
    readOnly: prepared.readOnly,
    leavesTraces: prepared.leavesTraces,
    settings: prepared.settings,
    statements: main ? [{ text: `explain (${list}) ${main.text}`, values: main.values }] : [],
    refuse: undefined,
    answer: ([rows = []]): Answer => ({
      status: 200,
      headers: {
        ...commonHeaders(incoming, settings.exposedSchemas, ['tx', 'handling', 'timezone']),
        'content-type': `${type}; charset=utf-8`,
      },
      body: rows.map(([line]) => line ?? '').join('\n'),
    }),
  }
}
