import { isUtf8 } from 'node:buffer'
import {
  functions as api,
  type FunctionFile,
  type FunctionUsage,
} from '#contract/functions/functions'
import type { UsageRange } from '#contract/projects/project-home'
import { v1Functions as v1 } from '#contract/v1/v1-functions'
import { ApiError } from '#kit/errors'
import { implement, implementRaw } from '#kit/http'
import type { FunctionCalls } from './calls.ts'
import type { Functions } from './functions.ts'
import type { StoredFile, VersionRow } from './store.ts'
import type { Readable } from 'node:stream'

const decoded = ({ path, content, encoding }: FunctionFile): StoredFile => ({
  path,
  content: Buffer.from(content, encoding),
})
const encoded = ({ path, content }: StoredFile): FunctionFile => {
  const encoding = isUtf8(content) ? 'utf8' : 'base64'
  return { path, content: content.toString(encoding), encoding }
}
const single = (body: string) => ({
  entrypoint_path: 'index.ts',
  files: [{ path: 'index.ts', content: Buffer.from(body) }],
})
const shown = (row: VersionRow & { active: boolean }) => ({
  version: row.version,
  active: row.active,
  created_at: row.created_at.toISOString(),
  deployed_by: row.deployed_by,
  bytes: row.bytes,
  sha256: row.sha256,
})

type UsageOf = (ref: string, id: string, range: UsageRange) => Promise<FunctionUsage>

export const functionRoutes = (functions: Functions, calls: FunctionCalls, usageOf: UsageOf) => [
  implement(v1.functions, ({ ref }) => functions.list(ref)),
  implement(v1.function, ({ ref, function_slug: slug }) => functions.get(ref, slug)),
  implementRaw(v1.functionBody, async ({ ref, function_slug: slug }, _caller, { reply }) => {
    const active = await functions.active(ref, slug)
    const form = new FormData()
    const { entrypoint_path, import_map_path, version } = active
    form.set('metadata', JSON.stringify({ entrypoint_path, import_map_path, version }))
    for (const { path, content } of active.files) {
      form.append('file', new Blob([new Uint8Array(content)]), path)
    }
    const response = new Response(form)
    void reply.type(response.headers.get('content-type') ?? 'multipart/form-data')
    return Buffer.from(await response.arrayBuffer())
  }),
  implement(v1.deployFunction, ({ ref, slug, bundleOnly, metadata, file }, caller, origin) =>
    functions.deploy({ caller, ref, origin }, slug, {
      ...metadata,
      files: file.map(({ path, content }) => ({ path, content: Buffer.from(content, 'base64') })),
      activate: !bundleOnly,
    }),
  ),
  implement(v1.createFunction, ({ ref, slug, name, body, verify_jwt }, caller, origin) =>
    functions.deploy({ caller, ref, origin }, slug, {
      ...single(body),
      name,
      verify_jwt,
      activate: true,
      mustBeNew: true,
    }),
  ),
  implement(v1.updateFunctions, async ({ ref, functions: list }, caller, origin) => ({
    functions: await functions.set({ caller, ref, origin }, list),
  })),
  implement(v1.updateFunction, async ({ ref, function_slug: slug, ...input }, caller, origin) => {
    const { body, ...settings } = input
    const who = { caller, ref, origin }
    if (body !== undefined) {
      await functions.get(ref, slug)
      return functions.deploy(who, slug, { ...single(body), ...settings, activate: true })
    }
    const [changed] = await functions.set(who, [{ slug, ...settings }])
    if (!changed) throw new ApiError('function_not_found')
    return changed
  }),
  implement(v1.removeFunction, async ({ ref, function_slug: slug }, caller, origin) => {
    await functions.remove({ caller, ref, origin }, slug)
    return {}
  }),

  implement(api.deploy, ({ ref, function_slug: slug, files, ...input }, caller, origin) =>
    functions.deploy({ caller, ref, origin }, slug, {
      ...input,
      files: files.map(decoded),
      activate: true,
    }),
  ),
  implement(api.versions, async ({ ref, function_slug: slug }) =>
    (await functions.versions(ref, slug)).map(shown),
  ),
  implement(api.version, async ({ ref, function_slug: slug, version }) => {
    const found = await functions.versionOf(ref, slug, version)
    const { entrypoint_path, import_map_path, files } = found
    return { ...shown(found), entrypoint_path, import_map_path, files: files.map(encoded) }
  }),
  implementRaw(api.download, async ({ ref, function_slug: slug, version }, _, { reply }) => {
    const { files, created_at: at } = await functions.versionOf(ref, slug, version)
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="${slug}-${version}.zip"`)
      .send(await archiveOf(slug, files, at))
  }),
  implement(api.activate, async ({ ref, function_slug: slug, version }, caller, origin) => {
    const [changed] = await functions.set({ caller, ref, origin }, [{ slug, version }])
    if (!changed) throw new ApiError('function_not_found')
    return changed
  }),
  implement(api.usage, async ({ ref, function_slug: slug, range }) =>
    usageOf(ref, (await functions.get(ref, slug)).id, range),
  ),
  implement(api.test, async (input) => {
    await functions.get(input.ref, input.function_slug)
    return calls.test(input)
  }),
  implement(api.removed, ({ ref }) => functions.removed(ref)),
  implement(api.restore, ({ ref, id }, caller, origin) =>
    functions.restore({ caller, ref, origin }, id),
  ),
]

/** The files of a version as a zip, in folders below the function's name. */
async function archiveOf(slug: string, files: readonly StoredFile[], at: Date) {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  for (const { path, content } of files) zip.addBuffer(content, `${slug}/${path}`, { mtime: at })
  zip.end()
  return zip.outputStream as Readable
}
