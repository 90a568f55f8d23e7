import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { displayName, ProjectRef } from '../values.ts'

export const functionStatuses = ['ACTIVE', 'REMOVED', 'THROTTLED'] as const
export type FunctionStatus = (typeof functionStatuses)[number]

/** Bytes of all files of one deployment. */
export const largestFunction = 20 * 1024 * 1024
/** Files of one deployment. */
export const maxFunctionFiles = 500
/** As JSON with base64 in it, and room for the rest. */
export const largestDeployment = Math.ceil(largestFunction * 1.4) + 1024 * 1024

/** A function's name in addresses. */
export const FunctionSlug = z
  .string()
  .max(128)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must begin with a letter; then letters, digits, _ and -')

const deployedTo = /^file:\/\/(?:\/tmp\/user_fn_[\w-]+\/source(?=\/))?/
/** Where a file stands in a deployment: below its root, in plain names. What stands in front of it in answers counts for nothing. */
export const FunctionPath = z
  .string()
  .max(400)
  .transform((text) => text.replace(deployedTo, '').replace(/^\/+|^(?:\.\/)+/, ''))
  .refine(
    (path) =>
      path !== '' &&
      !/[\\\p{Cc}]/u.test(path) &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'must be a path below the root of the function',
  )

export const V1Function = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: z.enum(functionStatuses),
  version: z.int(),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  updated_at: z.int(),
  verify_jwt: z.boolean(),
  import_map: z.boolean(),
  /** URLs of files: `file:///tmp/user_fn_<ref>_<id>_<version>/source/index.ts`. */
  entrypoint_path: z.string(),
  /** Where there is one: programs take no null for it. */
  import_map_path: z.string().optional(),
  /** Of the active version's files. */
  ezbr_sha256: z.string(),
})
export type V1Function = z.infer<typeof V1Function>

const ByRef = z.object({ ref: ProjectRef })
const ByFunction = ByRef.extend({ function_slug: FunctionSlug })
const name = displayName(1, 128)
const inQuery = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((value) => value === true || value === 'true' || value === '1')

/** A part of a form that says what type it is counts as a file there. */
const Part = z.tuple([z.object({ content: z.base64() })])
const textOfPart = (part: unknown) => {
  const [file] = Part.safeParse(part).data ?? []
  if (!file) return part
  const bytes = Uint8Array.from(atob(file.content), (byte) => byte.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}

/** A part of a form is text, with a type or without; the same may come as JSON. */
const fromText = (given: unknown) => {
  const value = textOfPart(given)
  if (typeof value !== 'string') return value
  try {
    // Whatever it is, the schema behind this judges it.
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}
/** Letters only: what their number has to be, the decoder knows. */
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')
const metadata = z.object({
  name: name.optional(),
  entrypoint_path: FunctionPath,
  import_map_path: FunctionPath.nullish().or(z.literal('').transform(() => undefined)),
  verify_jwt: z.boolean().optional(),
  static_patterns: z.array(z.string().max(400)).max(100).optional(),
})

/** Edge functions for command line tools and scripts, in the shapes they know. */
export const v1Functions = {
  functions: endpoint('v1.functions', 'GET /v1/projects/:ref/functions', {
    needs: inProject('functions:Read', '*'),
    input: ByRef,
    returns: z.array(V1Function),
  }),
  function: endpoint('v1.function', 'GET /v1/projects/:ref/functions/:function_slug', {
    needs: inProject('functions:Read', '*'),
    input: ByFunction,
    returns: V1Function,
  }),
  /** The files of the active version as a form: `metadata`, then a `file` for each. */
  functionBody: endpoint('v1.functionBody', 'GET /v1/projects/:ref/functions/:function_slug/body', {
    needs: inProject('functions:Read', '*'),
    raw: true,
    input: ByFunction,
    returns: z.unknown(),
  }),
  /** Makes a version of the function, which is made where there is none, and activates it unless `bundleOnly`. */
  deployFunction: endpoint('v1.deployFunction', 'POST /v1/projects/:ref/functions/deploy', {
    needs: inProject('functions:Write', '*'),
    status: 201,
    form: true,
    maxBytes: largestDeployment,
    perMinute: 120,
    input: ByRef.extend({
      slug: FunctionSlug,
      bundleOnly: inQuery.default(false),
      metadata: z.preprocess(fromText, metadata),
      /** Bytes as base64; a form's `file` parts become this. */
      file: z
        .array(z.object({ path: FunctionPath, content: base64 }))
        .min(1)
        .max(maxFunctionFiles),
    }),
    returns: V1Function,
  }),
  /** A function of one file, whose text is `body`. */
  createFunction: endpoint('v1.createFunction', 'POST /v1/projects/:ref/functions', {
    needs: inProject('functions:Write', '*'),
    status: 201,
    maxBytes: largestDeployment,
    perMinute: 120,
    input: ByRef.extend({
      slug: FunctionSlug,
      name,
      body: z.string().min(1).max(largestFunction),
      verify_jwt: z.boolean().optional(),
    }),
    returns: V1Function,
  }),
  /** Activates versions that were made with `bundleOnly`, and sets what else is given: all of it or nothing. */
  updateFunctions: endpoint('v1.updateFunctions', 'PUT /v1/projects/:ref/functions', {
    needs: inProject('functions:Write', '*'),
    listBody: 'functions',
    input: ByRef.extend({
      functions: z
        .array(
          z.object({
            slug: FunctionSlug,
            name: name.optional(),
            version: z.number().int().min(1).optional(),
            verify_jwt: z.boolean().optional(),
          }),
        )
        .min(1)
        .max(100),
    }),
    returns: z.object({ functions: z.array(V1Function) }),
  }),
  updateFunction: endpoint(
    'v1.updateFunction',
    'PATCH /v1/projects/:ref/functions/:function_slug',
    {
      needs: inProject('functions:Write', '*'),
      maxBytes: largestDeployment,
      input: ByFunction.extend({
        name: name.optional(),
        verify_jwt: z.boolean().optional(),
        /** The text of its one file: makes a version. */
        body: z.string().min(1).max(largestFunction).optional(),
      }),
      returns: V1Function,
    },
  ),
  /** Into the trash: it is no longer called, and can be brought back. */
  removeFunction: endpoint(
    'v1.removeFunction',
    'DELETE /v1/projects/:ref/functions/:function_slug',
    {
      needs: inProject('functions:Write', '*'),
      input: ByFunction,
      returns: z.object({}),
    },
  ),
}
