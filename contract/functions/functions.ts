import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { displayName, Instant, printable, ProjectRef } from '../values.ts'
import {
  FunctionPath,
  FunctionSlug,
  largestDeployment,
  largestFunction,
  maxFunctionFiles,
  V1Function,
} from '../v1/v1-functions.ts'

const ByRef = z.object({ ref: ProjectRef })
const ByFunction = ByRef.extend({ function_slug: FunctionSlug })
/** RFC 9110 §5.6.2 */
const HeaderName = z
  .string()
  .max(200)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
const version = z.coerce.number().int().min(1).max(2_000_000_000)

/** Text as it is; what is no text as base64. */
export const FunctionFile = z.object({
  path: FunctionPath,
  content: z.string().max(largestFunction * 1.4),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
})
export type FunctionFile = z.infer<typeof FunctionFile>

export const FunctionVersion = z.object({
  version: z.number(),
  active: z.boolean(),
  created_at: Instant,
  /** The e-mail address of who deployed it. */
  deployed_by: z.string(),
  bytes: z.number(),
  sha256: z.string(),
})
export type FunctionVersion = z.infer<typeof FunctionVersion>

/** Figures are read from a histogram, so they are estimates; null where nobody called. */
export const FunctionUsage = z.object({
  invocations: z.number(),
  /** Answers with a status of 500 and above. */
  errors: z.number(),
  /** Half of the answers, and 95 of 100, took no longer, in ms. */
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  /** Oldest first, one for each part of the range. */
  bars: z.array(
    z.object({
      began_at: Instant,
      invocations: z.number(),
      errors: z.number(),
      p95_ms: z.number().nullable(),
      /** Processor time of its workers. */
      cpu_ms: z.number(),
      /** The most that a worker had at any moment; null where none ran. */
      memory_mb: z.number().nullable(),
    }),
  ),
})
export type FunctionUsage = z.infer<typeof FunctionUsage>

/** Edge functions for the dashboard, besides what the management API has (`v1-functions.ts`). */
export const functions = {
  deploy: endpoint(
    'functions.deploy',
    'POST /platform/projects/:ref/functions/:function_slug/versions',
    {
      needs: inProject('functions:Write', '*'),
      status: 201,
      maxBytes: largestDeployment,
      perMinute: 120,
      input: ByFunction.extend({
        name: displayName(1, 128).optional(),
        entrypoint_path: FunctionPath.default('index.ts'),
        import_map_path: FunctionPath.nullish(),
        verify_jwt: z.boolean().optional(),
        files: z.array(FunctionFile).min(1).max(maxFunctionFiles),
      }),
      returns: V1Function,
    },
  ),
  /** The newest first. */
  versions: endpoint(
    'functions.versions',
    'GET /platform/projects/:ref/functions/:function_slug/versions',
    {
      needs: inProject('functions:Read', '*'),
      input: ByFunction,
      returns: z.array(FunctionVersion),
    },
  ),
  version: endpoint(
    'functions.version',
    'GET /platform/projects/:ref/functions/:function_slug/versions/:version',
    {
      needs: inProject('functions:Read', '*'),
      input: ByFunction.extend({ version }),
      returns: FunctionVersion.extend({
        entrypoint_path: z.string(),
        import_map_path: z.string().nullable(),
        files: z.array(FunctionFile),
      }),
    },
  ),
  /** The files of a version as a zip. */
  download: endpoint(
    'functions.download',
    'GET /platform/projects/:ref/functions/:function_slug/versions/:version/zip',
    {
      needs: inProject('functions:Read', '*'),
      raw: true,
      perMinute: 60,
      input: ByFunction.extend({ version }),
      returns: z.unknown(),
    },
  ),
  activate: endpoint(
    'functions.activate',
    'POST /platform/projects/:ref/functions/:function_slug/versions/:version/activate',
    {
      needs: inProject('functions:Write', '*'),
      input: ByFunction.extend({ version }),
      returns: V1Function,
    },
  ),
  /** How often it was called and how long that took, in as many parts as the range has bars. */
  usage: endpoint('functions.usage', 'GET /platform/projects/:ref/functions/:function_slug/usage', {
    needs: inProject('functions:Read', '*'),
    input: ByFunction.extend({ range: z.enum(['15m', '1h', '24h', '7d']).default('24h') }),
    returns: FunctionUsage,
  }),
  /** Calls it as somebody with this role would, and tells what it answered. */
  test: endpoint('functions.test', 'POST /platform/projects/:ref/functions/:function_slug/test', {
    needs: inProject('functions:Write', '*'),
    perMinute: 120,
    input: ByFunction.extend({
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']),
      /** Behind the slug: a path that begins with a slash, a query, both or nothing. */
      path: z
        .string()
        .max(2000)
        .regex(/^(?:[/?][!-~]*)?$/, 'must begin with / or ?, without spaces')
        .default(''),
      headers: z
        .array(z.object({ name: HeaderName, value: z.string().max(8000).regex(printable) }))
        .max(50)
        .default([]),
      body: z.string().max(1_000_000).default(''),
      role: z.enum(['anon', 'service_role']),
    }),
    returns: z.object({
      status: z.number(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      /** Text; cut after a megabyte. */
      body: z.string(),
      duration_ms: z.number(),
    }),
  }),
  /** What was deleted and can be brought back. */
  removed: endpoint('functions.removed', 'GET /platform/projects/:ref/functions-trash', {
    needs: inProject('functions:Read', '*'),
    input: ByRef,
    returns: z.array(
      z.object({ id: z.string(), slug: z.string(), name: z.string(), removed_at: Instant }),
    ),
  }),
  restore: endpoint('functions.restore', 'POST /platform/projects/:ref/functions-trash/:id', {
    needs: inProject('functions:Write', '*'),
    input: ByRef.extend({ id: z.uuid() }),
    returns: V1Function,
  }),
}
