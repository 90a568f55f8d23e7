import { v1 } from '#contract/v1/v1'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Forward } from './forward.ts'

/** A database of thousands of tables takes seconds to read. */
const longestWaitMs = 60_000

/** The types of a project's database for programs, read as the login that only reads. */
export function typesRoutes({ dataPlaneUrl, internalToken }: Forward) {
  async function typesFor(ref: string, language: string, asked: Record<string, string>) {
    const path = `${ref}/generators/${language}?${new URLSearchParams(asked).toString()}`
    const response = await fetch(`${dataPlaneUrl}/internal/pg-meta/${path}`, {
      headers: {
        authorization: `Bearer ${internalToken}`,
        'x-plinth-login': 'plinth_read_only',
        'x-pg-application-name': 'plinth-types',
      },
      signal: AbortSignal.timeout(longestWaitMs),
    }).catch(() => undefined)
    if (!response?.ok) throw new ApiError('project_unreachable')
    return { types: await response.text() }
  }
  return [
    implement(v1.types, ({ ref, included_schemas }) =>
      typesFor(ref, 'typescript', { included_schemas, detect_one_to_one_relationships: 'true' }),
    ),
    implement(v1.otherTypes, ({ ref, language, included_schemas }) =>
      typesFor(ref, language, { included_schemas }),
    ),
  ]
}
