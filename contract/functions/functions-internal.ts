import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ProjectRef } from '../values.ts'

/** One active function, as the data plane runs it. */
export const ServedFunction = z.object({
  id: z.string(),
  slug: z.string(),
  version: z.number(),
  /** Names the files, which never change. */
  versionId: z.string(),
  verifyJwt: z.boolean(),
})
export type ServedFunction = z.infer<typeof ServedFunction>

/** What the data plane needs to run a project's functions. It holds secrets: never log it, never send it to a client. */
export const ServedFunctions = z.object({
  region: z.string(),
  /** Milliseconds that one request may take, by the plan of the organization. */
  wallMs: z.number(),
  functions: z.array(ServedFunction),
  /** What the project's people have set, by name. */
  secrets: z.record(z.string(), z.string()),
  /** Of the database as its owner; there is none before the database has an address. */
  databaseUrl: z.string().optional(),
  publishableKey: z.string().optional(),
  secretKey: z.string().optional(),
})
export type ServedFunctions = z.infer<typeof ServedFunctions>

export const FunctionCode = z.object({
  entrypointPath: z.string(),
  importMapPath: z.string().nullable(),
  /** Bytes as base64. */
  files: z.array(z.object({ path: z.string(), content: z.string() })),
})
export type FunctionCode = z.infer<typeof FunctionCode>

/** How code did that was started once before it becomes a version. */
export const FunctionTrial = z.object({
  /** `not_tried`: nothing runs functions here, or the project does not run. */
  outcome: z.enum(['started', 'failed', 'not_tried']),
  /** Why it failed: what it said, in one line. */
  reason: z.string(),
  /** File of the function, line and column, where they are known: `index.ts:3:9`. */
  place: z.string().optional(),
})
export type FunctionTrial = z.infer<typeof FunctionTrial>

/** What the data plane asks of the control plane about functions. */
export const internalFunctions = {
  functions: endpoint('internal.functions', 'GET /internal/projects/:ref/functions', {
    needs: 'internal',
    input: z.object({ ref: ProjectRef }),
    returns: ServedFunctions,
  }),
  functionCode: endpoint('internal.functionCode', 'GET /internal/function-versions/:id', {
    needs: 'internal',
    input: z.object({ id: z.uuid() }),
    returns: FunctionCode,
  }),
}
