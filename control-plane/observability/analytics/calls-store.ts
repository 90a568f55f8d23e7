import type { SqlQuestion } from '#contract/observability/logs'

/** Calls of a function in one minute or hour, as `callsOf` reads them. */
export type Calls = {
  /** When it began, in milliseconds since 1970. */
  at: number
  requests: number
  success: number
  redirect: number
  client: number
  server: number
  average: number | null
  longest: number | null
}

/** The question about the calls of a function, in the public dialect. `functionId` is a UUID. */
export function callsQuestion(
  functionId: string,
  seconds: number,
  range: { from: string; to: string },
): SqlQuestion {
  if (!/^[\da-f-]{36}$/i.test(functionId)) throw new Error(`${functionId} is not a UUID`)
  const unit = seconds < 3600 ? 'minute' : 'hour'
  const sql = `select timestamp_trunc(timestamp, ${unit}) as bar, count(*) as requests,
      countif(response.status_code < 300) as success,
      countif(response.status_code >= 300 and response.status_code < 400) as redirect,
      countif(response.status_code >= 400 and response.status_code < 500) as client,
      countif(response.status_code >= 500) as server,
      avg(m.execution_time_ms) as average, max(m.execution_time_ms) as longest
    from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as response
    where m.function_id = '${functionId.toLowerCase()}' group by bar order by bar`
  return { sql, dialect: 'analytics', ...range }
}

const numberOrNull = (value: unknown) => (value === null ? null : Number(value))

export const callsOf = (rows: readonly (readonly unknown[])[]): Calls[] =>
  rows.map(([at, requests, success, redirect, client, server, average, longest]) => ({
    // This dialect answers times in microseconds.
    at: Number(at) / 1000,
    requests: Number(requests),
    success: Number(success),
    redirect: Number(redirect),
    client: Number(client),
    server: Number(server),
    average: numberOrNull(average),
    longest: numberOrNull(longest),
  }))
